"""Test your server's subscriptions with pytest, against a store with a clock that you move.

The fixtures are in `plugin`. What they give you are these classes, which work without pytest too.
"""

from .catalogue import (
    Catalogue, Group, Offer, ProductType, free, pay_as_you_go, pay_up_front)
from .connection import StoreError
from .customer import Customer, Pending
from .faults import Faults
from .notifications import Listener, Notifications
from .running import RunningStore, StartError, find_program
from .signed import Notification, Subscription, Transaction
from .store import Environment, Store

__all__ = [
    "Catalogue", "Customer", "Environment", "Faults", "Group", "Listener", "Notification",
    "Notifications", "Offer", "Pending", "ProductType", "RunningStore", "StartError", "Store",
    "StoreError", "Subscription", "Transaction", "find_program", "free", "pay_as_you_go",
    "pay_up_front",
]
