"""What the store signed, decoded.

Nothing is verified here: it comes from the store that the test itself started. Your server
verifies; `apple_verifier` does it as Apple's library does.
"""

from __future__ import annotations

import base64
import json
from dataclasses import dataclass, field
from datetime import datetime, timezone
from typing import Any, cast


def decoded(signed: str) -> dict[str, Any]:
    """The payload of a compact JWS."""
    payload = signed.split(".")[1]
    text = base64.urlsafe_b64decode(payload + "=" * (-len(payload) % 4))
    return cast("dict[str, Any]", json.loads(text))


def moment(milliseconds: int) -> datetime:
    return datetime.fromtimestamp(milliseconds / 1000, timezone.utc)


@dataclass(frozen=True)
class Transaction:
    """A transaction: `signed` as an app sends it to your server, `payload` with Apple's names."""

    signed: str = field(repr=False)
    payload: dict[str, Any]

    @classmethod
    def of(cls, signed: str) -> Transaction:
        return cls(signed, decoded(signed))

    @property
    def id(self) -> str:
        return str(self.payload["transactionId"])

    @property
    def original_id(self) -> str:
        return str(self.payload["originalTransactionId"])

    @property
    def product(self) -> str:
        return str(self.payload["productId"])

    @property
    def expires(self) -> datetime | None:
        """The end of a subscription's period; None for what is no subscription."""
        end = self.payload.get("expiresDate")
        return None if end is None else moment(end)


@dataclass(frozen=True)
class Subscription:
    """A customer's subscription as it is now."""

    original_id: str
    product: str
    next_product: str
    status: int
    """1 active, 2 expired, 3 billing retry, 4 grace period, 5 revoked: Apple's numbers."""
    entitled: bool
    renews: bool
    transaction: Transaction
    renewal: dict[str, Any]
    """What comes next, with Apple's names."""

    @classmethod
    def of(cls, answer: dict[str, Any]) -> Subscription:
        return cls(
            original_id=answer["originalTransactionId"], product=answer["productId"],
            next_product=answer["autoRenewProductId"], status=answer["status"],
            entitled=answer["entitled"], renews=answer["autoRenew"],
            transaction=Transaction.of(answer["signedTransactionInfo"]),
            renewal=decoded(answer["signedRenewalInfo"]))


@dataclass(frozen=True)
class Notification:
    """A notification that arrived: `signed` as it came, `payload` with Apple's names."""

    signed: str = field(repr=False)
    payload: dict[str, Any]
    answer: int
    """The HTTP status that it was answered with: that of the server it was forwarded to."""

    @property
    def type(self) -> str:
        return str(self.payload["notificationType"])

    @property
    def subtype(self) -> str | None:
        return cast("str | None", self.payload.get("subtype"))

    @property
    def name(self) -> str:
        """Type and subtype in one: `SUBSCRIBED/INITIAL_BUY`, or `DID_RENEW` alone."""
        return f"{self.type}/{self.subtype}" if self.subtype else self.type

    @property
    def uuid(self) -> str:
        return str(self.payload["notificationUUID"])

    @property
    def signed_at(self) -> datetime:
        return moment(self.payload["signedDate"])

    @property
    def transaction(self) -> Transaction | None:
        signed = self.payload.get("data", {}).get("signedTransactionInfo")
        return Transaction.of(signed) if signed else None

    @property
    def renewal(self) -> dict[str, Any] | None:
        signed = self.payload.get("data", {}).get("signedRenewalInfo")
        return decoded(signed) if signed else None

    def __str__(self) -> str:
        about = self.transaction.product if self.transaction else ""
        return f"{self.signed_at:%Y-%m-%d %H:%M:%S}  {self.name:46}  {self.answer}  {about}"
