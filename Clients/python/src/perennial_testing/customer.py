"""A customer with the app on a device."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

from .connection import call, quoted
from .signed import Subscription, Transaction

if TYPE_CHECKING:
    from .store import Store


class Pending(Exception):
    """A purchase charged nothing yet: somebody must approve it, the bank has not answered, or the
    plan waits for the renewal. `reply` says which, as the store answered."""

    def __init__(self, product: str, reply: dict[str, Any]) -> None:
        self.reply = reply
        super().__init__(f"{product} was not charged yet: {reply}")


class Customer:
    """Somebody who is signed in to the store. Every method returns once the notifications that it
    caused were attempted."""

    def __init__(self, store: Store, account: str, details: dict[str, str]) -> None:
        self.account = account
        self._store = store
        signed_in = call(store.url, "POST", "/storefront/v1/sign-in", body={
            "bundleId": store.bundle_id, "account": account, **details})
        self._token: str = signed_in["token"]

    def storefront(self, method: str, path: str, body: Any = None, **query: Any) -> Any:
        """Any call of `/storefront/v1` by this customer, for what has no method here."""
        return call(self._store.url, method, "/storefront/v1" + path, self._token, body, **query)

    # Buying

    def buy(
        self, product: str, *, app_account_token: str | None = None, quantity: int = 1,
        offer: dict[str, Any] | None = None,
    ) -> Transaction:
        """Buys a product. Raises `StoreError` (`paymentDeclined`, for one) where it is refused."""
        body: dict[str, Any] = {"productId": product, "quantity": quantity}
        if app_account_token:
            body["appAccountToken"] = app_account_token
        if offer:
            body["offer"] = offer
        return _bought(product, self.storefront("POST", "/purchases", body))

    def redeem(self, code: str) -> Transaction:
        """Redeems an offer code."""
        return _bought(code, self.storefront("POST", "/redemptions", {"code": code}))

    def finish(self, transaction: Transaction) -> None:
        self.storefront("POST", f"/transactions/{transaction.id}/finish")

    def request_refund(self, transaction: Transaction, reason: str = "OTHER") -> None:
        """Asks for a refund. The app's `refundPolicy` decides: unless it is set, it is granted
        after some time."""
        self.storefront(
            "POST", f"/transactions/{transaction.id}/refund-request", {"reason": reason})

    def payment_method(
        self, behaviour: Literal["approve", "decline", "later"], **limits: Any
    ) -> None:
        """How the customer's bank answers from now on; `count=1` declines one charge alone.

        One that approves is charged at once for every renewal that failed."""
        self._store.connect("PUT", f"/customers/{quoted(self.account)}/payment-method", {
            "behaviour": behaviour, **limits})

    # What the customer has

    def transactions(self) -> list[Transaction]:
        """What the device sees, oldest first, two hundred at most."""
        page = self.storefront("GET", "/transactions", limit=200)
        return [Transaction.of(one["signedTransactionInfo"]) for one in page["transactions"]]

    def entitlements(self) -> list[str]:
        """The products that the customer has access to now."""
        answer = self.storefront("GET", "/entitlements")
        return [one["productId"] for one in answer["entitlements"]]

    def subscriptions(self) -> list[Subscription]:
        """The newest of each subscription group, ended ones too."""
        answer = self.storefront("GET", "/subscriptions")
        return [Subscription.of(one) for one in answer["subscriptions"]]

    def subscription(self, of: Transaction | None = None) -> Subscription:
        """The customer's subscription; one with several names it by one of its transactions."""
        found = [
            one for one in self.subscriptions() if not of or one.original_id == of.original_id]
        if len(found) != 1:
            raise LookupError(f"{self.account} has {len(found)} subscriptions, not one: "
                              f"{[one.product for one in found]}")
        return found[0]

    # Changing a subscription

    def change_plan(self, product: str, of: Transaction | None = None) -> Subscription:
        """Moves the subscription to another product of its group: an upgrade at once, a downgrade
        with the next renewal."""
        return self._change(of, productId=product)

    def cancel(self, of: Transaction | None = None) -> Subscription:
        """Turns renewal off; access stays until the end of the period."""
        return self._change(of, autoRenew=False)

    def resume(self, of: Transaction | None = None) -> Subscription:
        """Turns renewal on again."""
        return self._change(of, autoRenew=True)

    def answer_price_increase(
        self, answer: Literal["agree", "decline"], of: Transaction | None = None
    ) -> Subscription:
        return self._change(of, priceIncrease=answer)

    def leave_family(self) -> None:
        self.storefront("DELETE", "/family")

    def _change(self, of: Transaction | None, **changes: Any) -> Subscription:
        original_id = of.original_id if of else self.subscription().original_id
        return Subscription.of(self.storefront("PATCH", f"/subscriptions/{original_id}", changes))


def _bought(product: str, reply: dict[str, Any]) -> Transaction:
    signed = reply.get("signedTransactionInfo")
    if not signed:
        raise Pending(product, reply)
    return Transaction.of(signed)
