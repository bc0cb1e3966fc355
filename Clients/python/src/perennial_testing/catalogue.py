"""A catalogue built in code, written as the `.storekit` file that Xcode would write."""

from __future__ import annotations

import itertools
import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

ProductType = Literal["Consumable", "NonConsumable", "NonRenewingSubscription"]


@dataclass(frozen=True)
class Offer:
    """What a subscription costs at first; made by `free`, `pay_as_you_go` and `pay_up_front`."""

    mode: str
    period: str
    periods: int = 1
    price: str | None = None

    def _json(self, number: str, **identity: Any) -> dict[str, Any]:
        price = {"displayPrice": self.price} if self.price else {}
        return {"internalID": number, "paymentMode": self.mode, "numberOfPeriods": self.periods,
                "subscriptionPeriod": self.period, **price, **identity}


def free(period: str) -> Offer:
    """Free for a period, such as `P1W`."""
    return Offer("free", period)


def pay_as_you_go(price: str, period: str, periods: int) -> Offer:
    """A price for each of so many periods."""
    return Offer("payAsYouGo", period, periods, price)


def pay_up_front(price: str, period: str) -> Offer:
    """One price for a longer period at first."""
    return Offer("payUpFront", period, 1, price)


@dataclass
class Group:
    """A subscription group."""

    name: str
    _number: str
    _numbers: itertools.count[int]
    _subscriptions: list[dict[str, Any]] = field(default_factory=list)

    def subscription(
        self, product: str, price: str, period: str, *, level: int = 1,
        family_shareable: bool = False, introductory: Offer | None = None,
        codes: dict[str, Offer] | None = None, promotional: dict[str, Offer] | None = None,
        win_back: dict[str, Offer] | None = None,
    ) -> Group:
        """Adds a subscription and returns the group. Level 1 is the best: to move there is an
        upgrade. Offers other than the introductory one are named by their identifiers."""
        def offers(named: dict[str, Offer] | None, key: str, **more: Any) -> list[dict[str, Any]]:
            return [offer._json(self._next(), **{key: name}, **more)
                    for name, offer in (named or {}).items()]

        self._subscriptions.append({
            **_product(self._next(), product, price, family_shareable),
            "type": "RecurringSubscription", "recurringSubscriptionPeriod": period,
            "groupNumber": level, "subscriptionGroupID": self._number,
            "introductoryOffer": introductory._json(self._next()) if introductory else None,
            "adHocOffers": offers(promotional, "offerID"),
            "codeOffers": offers(
                codes, "referenceName", eligibility=["new", "existing", "expired"]),
            "winbackOffers": offers(win_back, "offerID", referenceName="", isEligible=True),
        })
        return self

    def _next(self) -> str:
        return str(next(self._numbers))


class Catalogue:
    """What the app sells, in one storefront."""

    def __init__(self, storefront: str = "USA") -> None:
        self._storefront = storefront
        self._numbers = itertools.count(1)
        self._groups: list[Group] = []
        self._products: list[dict[str, Any]] = []

    def group(self, name: str) -> Group:
        made = Group(name, str(next(self._numbers)), self._numbers)
        self._groups.append(made)
        return made

    def product(
        self, product: str, price: str, kind: ProductType, *, family_shareable: bool = False
    ) -> Catalogue:
        """Adds what is no auto-renewable subscription, and returns the catalogue."""
        self._products.append({
            **_product(str(next(self._numbers)), product, price, family_shareable), "type": kind})
        return self

    def write(self, path: Path) -> Path:
        season = "NonRenewingSubscription"
        path.write_text(json.dumps({
            "identifier": "perennial-testing", "version": {"major": 4, "minor": 0},
            "settings": {"_storefront": self._storefront},
            "products": [one for one in self._products if one["type"] != season],
            "nonRenewingSubscriptions": [
                one for one in self._products if one["type"] == season],
            "subscriptionGroups": [
                {"id": group._number, "name": group.name, "localizations": [],
                 "subscriptions": group._subscriptions} for group in self._groups],
        }, indent=2))
        return path


def _product(number: str, product: str, price: str, family_shareable: bool) -> dict[str, Any]:
    return {"productID": product, "referenceName": product, "displayPrice": price,
            "familyShareable": family_shareable, "internalID": number, "localizations": []}
