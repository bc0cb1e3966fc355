"""The store as an operator sees it: clock, customers, prices, refunds."""

from __future__ import annotations

import itertools
from datetime import datetime
from decimal import Decimal
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, cast

from .connection import call, quoted
from .customer import Customer
from .faults import Faults
from .signed import Transaction

if TYPE_CHECKING:
    from appstoreserverlibrary.api_client import AppStoreServerAPIClient
    from appstoreserverlibrary.signed_data_verifier import SignedDataVerifier

Environment = Literal["Production", "Sandbox"]


class Store:
    """A running store, seen from one environment.

    `ready` is the store's ready file: URLs, keys, the root certificate, the operator token.
    """

    def __init__(self, ready: dict[str, Any], environment: Environment = "Production") -> None:
        self.ready = ready
        self.environment: Environment = environment
        self.url: str = ready[environment.lower()]["url"]
        self.bundle_id: str = ready["bundleId"]
        self.app_apple_id: int = ready["appAppleId"]
        self.faults = Faults(self)
        self._numbers = itertools.count(1)

    @cached_property
    def sandbox(self) -> Store:
        """The same store's Sandbox, in which a month lasts five minutes."""
        return Store(self.ready, "Sandbox")

    @property
    def private_key(self) -> bytes:
        """What your server signs its calls of the App Store Server API with, PEM."""
        return Path(self.ready["privateKeyFile"]).read_bytes()

    @property
    def root_certificate(self) -> bytes:
        """What your server trusts in place of Apple's root, DER."""
        return Path(self.ready["rootCertificateFile"]).read_bytes()

    def connect(self, method: str, path: str, body: Any = None, **query: Any) -> Any:
        """Any call of `/connect/v1`, for what has no method here; `/openapi.json` has them all."""
        token = self.ready["operatorToken"]
        return call(self.url, method, "/connect/v1" + path, token, body, **query)

    # The clock

    def now(self) -> datetime:
        """What the store's clock shows. Give it to your server as its clock."""
        return _moment(self.connect("GET", "/clock")["now"])

    def advance(self, by: str) -> datetime:
        """Moves the clock by an ISO 8601 duration, such as `P1M` or `PT1H`, and returns what it
        shows then. Everything that is due until then has happened, in order, and every
        notification was attempted."""
        return _moment(self.connect("POST", "/clock/advance", {"by": by})["now"])

    def advance_to(self, moment: datetime | str) -> datetime:
        """Moves the clock to a later moment."""
        return _moment(self.connect("POST", "/clock/advance", {"to": _text(moment)})["now"])

    def advance_until(self, notification_type: str, subtype: str | None = None) -> datetime:
        """Moves the clock from event to event until one causes such a notification."""
        body = {"notification": notification_type} | ({"subtype": subtype} if subtype else {})
        return _moment(self.connect("POST", "/clock/run-until", body)["now"])

    # Customers

    def customer(self, account: str | None = None, **details: str) -> Customer:
        """Signs a customer in on a device, and creates the account where it is new.

        `details` are `storefront`, `device` and `locale`."""
        return Customer(self, account or f"customer-{next(self._numbers)}", details)

    def family(self, organiser: Customer, *members: Customer) -> int:
        """Makes a family and returns its number. A member ends it with `leave_family`."""
        made = self.connect("POST", "/families", {
            "organiser": organiser.account, "members": [one.account for one in members]})
        return int(made["id"])

    # The app

    def configure(self, **settings: Any) -> None:
        """Sets the app up, with the names of `PATCH /connect/v1/apps/{bundleId}`, such as
        `gracePeriod="SIXTEEN_DAYS"` or `refundPolicy="manual"`."""
        self.connect("PATCH", self._app, settings)

    def send_notifications_to(self, url: str) -> None:
        """Where the store posts notifications, of both environments."""
        self.configure(notificationUrl=url, sandboxNotificationUrl=url)

    def set_price(
        self, product: str, price: str | Decimal, *, existing: Literal["apply", "preserve"],
        storefront: str = "USA", start: datetime | str | None = None,
    ) -> None:
        """Sets a price, live at once or at `start`. A higher one either applies to subscribers
        too, after notice or consent, or the old one is preserved for them."""
        body = {"price": int(Decimal(price) * 1000), "existing": existing}
        self.connect(
            "PUT", f"{self._app}/products/{quoted(product)}/price-changes/{storefront}",
            body | ({"start": _text(start)} if start else {}))

    def offer_code(self, product: str, offer: str, code: str, count: int = 1000) -> str:
        """Makes a custom code that customers redeem for an offer with codes, and returns it."""
        self.connect("POST", f"{self._app}/offer-codes", {
            "productId": product, "offerId": offer, "custom": code, "count": count})
        return code

    # Refunds

    def refund(
        self, transaction: Transaction, extent: Literal["full", "prorated"] = "full"
    ) -> None:
        """Refunds a transaction that no customer asked about."""
        self.connect("POST", f"/transactions/{transaction.id}/refund", {"extent": extent})

    def reverse_refund(self, transaction: Transaction) -> None:
        self.connect("POST", f"/transactions/{transaction.id}/reverse-refund")

    # Apple's library, and what it must refuse

    def forgeries(self, about: str, of: Transaction | None = None) -> list[dict[str, Any]]:
        """Signed texts (`text`) that are each wrong in one way (`why`), with what a verifier must
        do (`mustBe`), made of a real transaction. `about` is `notification`, `transaction`,
        `renewal-info`, `app-transaction`, `receipt` or `request-token`."""
        made = self.connect("POST", "/forgeries", {
            "kind": "all", "about": about, "bundleId": self.bundle_id,
            **({"transactionId": of.id} if of else {})})
        return cast("list[dict[str, Any]]", made["forgeries"])

    def apple_client(self) -> AppStoreServerAPIClient:
        """Apple's client of the App Store Server API, which calls this store."""
        from . import apple
        return apple.client(self)

    def apple_verifier(self) -> SignedDataVerifier:
        """Apple's verifier of signed data, which trusts this store."""
        from . import apple
        return apple.verifier(self)

    @property
    def _app(self) -> str:
        return f"/apps/{quoted(self.bundle_id)}"


def _moment(text: str) -> datetime:
    return datetime.fromisoformat(text.replace("Z", "+00:00"))


def _text(moment: datetime | str) -> str:
    if isinstance(moment, str):
        return moment
    if moment.tzinfo is None:
        raise ValueError(f"{moment} has no time zone: the store's moments are in UTC")
    return moment.isoformat()
