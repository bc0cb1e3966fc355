"""What the tests of a merchant share: a running one, and what they ask of it."""

from datetime import datetime, timezone

import pytest
from appstoreserverlibrary.models.Status import Status
from merchant_process import MerchantProcess

ESTATE = "com.example.garden.estate.monthly"
GROUP = "5C0A11E7"


@pytest.fixture(scope="module")
def merchant(server):
    with MerchantProcess(server) as merchant:
        yield merchant


@pytest.fixture
def letters(garden):
    """The signed notifications that the store has sent since the last call."""
    def taken():
        garden.operator.settle()
        return garden.listener.take_arrivals(garden.environment)
    taken()
    return taken


def signed(customer, transaction):
    """A transaction as the device has it."""
    return next(
        one["signedTransactionInfo"] for one in customer.transactions()
        if one["transaction"].transactionId == transaction.transactionId)


def moment(milliseconds):
    """As the merchant writes it; the store's moments in these stories are whole seconds."""
    return datetime.fromtimestamp(
        milliseconds / 1000, timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")


def club(customer):
    """The entitlement of the garden's subscription group in a merchant's answer."""
    [found] = [one for one in customer["entitlements"] if one["id"] == GROUP]
    return found


def status(garden, transaction):
    """Apple's status of a subscription, asked with Apple's client."""
    reply = garden.developer.get_all_subscription_statuses(transaction.originalTransactionId)
    [group] = [one for one in reply.data if one.subscriptionGroupIdentifier == GROUP]
    return group.lastTransactions[0].status


def agrees(garden, merchant, account, transaction):
    """The merchant grants where Apple's status is active or grace; returns the entitlement."""
    entitlement = club(merchant.customer(account))
    good = {Status.ACTIVE, Status.BILLING_GRACE_PERIOD}
    assert entitlement["granted"] == (status(garden, transaction) in good), entitlement
    assert entitlement["environment"] == garden.environment.value
    return entitlement


@pytest.fixture
def settled(garden, merchant, letters):
    """A purchase of each of two customers, of which the merchant knows everything."""
    other, ada = garden.customer(), garden.customer()
    other.buys(ESTATE)
    bought = ada.buys(ESTATE)
    merchant.owns(ada.account, signed(ada, bought))
    merchant.takes(*letters())
    return ada, bought
