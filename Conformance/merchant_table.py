"""What customers must see, as a table, and how what they see differs from it."""

import requests

GARDEN = "com.example.garden."


def seen(customer):
    """What a merchant's answer says of access, in one line.

    Each entitlement with what gives it: `club: active estate.monthly until 04-01 00:00, renews`.
    An environment is named where it is not Production; who shares something has it `(shared)`."""
    following = {
        (one["environment"], one["productId"]): one["nextProductId"]
        for one in customer["subscriptions"] if "nextProductId" in one}
    lines = [entitlement(one, following) for one in customer["entitlements"]]
    lines += [
        f"{count} {short(product)}" for product, count in sorted(customer["balances"].items())]
    return "; ".join(lines) or "nothing"


def entitlement(one, following):
    assert one["granted"] == (
        one["reason"] in {"active", "gracePeriod", "awaitingRenewal", "owned"}), one
    place = "" if one["environment"] == "Production" else f" in {one['environment']}"
    text = f"{one['id']}{place}: {one['reason']} {short(one['productId'])}"
    if one["ownership"] != "purchased":
        text += " (shared)"
    if "until" in one:
        text += f" until {one['until'][5:16].replace('T', ' ')}"
    if one["granted"] and one.get("willRenew"):
        after = following[one["environment"], one["productId"]]
        text += ", renews" if after == one["productId"] else f", then {short(after)}"
    return text


def short(product):
    return product.removeprefix(GARDEN)


class Table:
    """What every customer must see, from one moment of a story to the next."""

    def __init__(self, merchant):
        self._merchant = merchant
        self._must = {}
        self._versions = {}

    def must(self, **changes):
        """From the next look on. Customers who are not named must see what they saw."""
        self._must |= changes

    @property
    def accounts(self):
        return list(self._must)

    def see(self, what):
        """All customers at once: fails with all differences. No version goes back."""
        found = {account: self._merchant.customer(account) for account in self._must}
        differences = [
            f"{account:6} must see  {must}\n       sees      {sees}"
            for account, must in self._must.items()
            if must != (sees := seen(found[account]))]
        for account, customer in found.items():
            if customer["version"] < self._versions.get(account, 0):
                differences.append(f"{account:6} went back to version {customer['version']}")
            self._versions[account] = customer["version"]
        return [f"{what}:"] + differences if differences else []


class Faults:
    """Rules by which the store's outside goes wrong, in both environments."""

    def __init__(self, *operators):
        self._operators = operators

    def add(self, kind, **details):
        for operator in self._operators:
            operator.adds_fault(kind, **details)

    def applied(self, server, environments):
        """How often each kind has applied."""
        counts = {}
        for environment in environments:
            reply = requests.get(
                f"{server.url(environment)}/connect/v1/faults", timeout=60,
                headers={"Authorization": f"Bearer {server.ready['operatorToken']}"})
            for one in reply.json()["faults"]:
                counts[one["kind"]] = counts.get(one["kind"], 0) + one["applied"]
        return counts
