"""Non-renewing subscriptions, kept in the two ways of WWDC 2012 session 308.

    .build/debug/perennial serve Examples/Garden.storekit --clock frozen --at 2026-05-01
    python Examples/python/seasons.py

Run the last command in another terminal. It takes a ready file as an argument.

The store does not restore non-renewing subscriptions, and their receipts have no end date: the
developer keeps them and computes the end. In the customer's cloud they need no registration, but
another cloud account loses them. On the developer's server one transaction binds them to a
registered account. Both ways finish a transaction only once it is kept, so a crash in between
delivers it again.
"""

import json
import sys
import uuid
from datetime import datetime, timezone
from pathlib import Path

import requests

from legacy_server import Accounts, Server, Store, later, length_of

SEASON = "com.example.garden.season.summer"


class Shop:
    """A store that serves, and its clock."""

    def __init__(self, ready):
        self.ready = ready
        self.url = ready["production"]["url"]

    def call(self, method, path, token, **body):
        response = requests.request(
            method, f"{self.url}{path}", json=body or None, timeout=60,
            headers={"Authorization": f"Bearer {token}"} if token else {})
        if not response.ok:
            sys.exit(f"{method} {path}: {response.text}")
        return response.json() if response.content else {}

    def now(self):
        return self.call("GET", "/connect/v1/clock", self.ready["operatorToken"])["now"]

    def goes_on(self, by):
        self.call("POST", "/connect/v1/clock/advance", self.ready["operatorToken"], by=by)


class Phone:
    """The app on a device."""

    def __init__(self, shop, account, name="phone"):
        self.shop = shop
        self.token = shop.call(
            "POST", "/storefront/v1/sign-in", None, bundleId=shop.ready["bundleId"],
            account=account, device=name)["token"]

    def buy(self, product):
        self.shop.call("POST", "/storefront/v1/purchases", self.token, productId=product)

    def unfinished(self):
        return self.shop.call(
            "GET", "/storefront/v1/transactions?unfinished=true", self.token)["transactions"]

    def finish(self, transaction):
        self.shop.call(
            "POST", f"/storefront/v1/transactions/{transaction['transactionId']}/finish",
            self.token)

    def receipt(self):
        return self.shop.call("GET", "/storefront/v1/receipt", self.token)["receipt"]


class Cloud:
    """What a customer's cloud account keeps for the app: receipts, on all devices at once."""

    def __init__(self):
        self.receipts = []

    def take(self, phone):
        """Keeps what was bought, then finishes it."""
        waiting = phone.unfinished()
        if waiting:
            self.receipts.append(phone.receipt())
        for transaction in waiting:
            phone.finish(transaction)

    def ends(self, store):
        """When the season ends, by all receipts that are here; the store says that they are
        genuine."""
        seasons = {}
        for receipt in self.receipts:
            for one in store.verify(receipt, "1.0")["receipt"]["in_app"]:
                if one["product_id"] == SEASON:
                    seasons[one["transaction_id"]] = int(one["purchase_date_ms"])
        end = 0
        for purchased in sorted(seasons.values()):
            end = later(max(purchased, end), length_of(SEASON))
        return end


def day(milliseconds):
    return datetime.fromtimestamp(milliseconds / 1000, timezone.utc).strftime("%d %b %Y")


def must(what, found, expected):
    print(f"{what}: {found}")
    if found != expected:
        sys.exit(f"  but it must be {expected}")


def in_the_cloud(shop, store):
    print("In the customer's cloud")
    account = f"cloud-{uuid.uuid4()}"
    (phone, cloud) = (Phone(shop, account), Cloud())
    phone.buy(SEASON)
    must("  bought, not kept yet: unfinished", len(phone.unfinished()), 1)
    cloud.take(phone)
    must("  kept, then finished: unfinished", len(phone.unfinished()), 0)
    must("  the season lasts until", day(cloud.ends(store)), "01 Aug 2026")
    shop.goes_on("P2M")
    phone.buy(SEASON)
    cloud.take(phone)
    must("  bought again a month before its end", day(cloud.ends(store)), "01 Nov 2026")
    wiped = Phone(shop, account, "new phone")
    must("  a wiped phone has nothing to take from the store", len(wiped.unfinished()), 0)
    must("  and everything from the cloud", day(cloud.ends(store)), "01 Nov 2026")
    must("  another cloud account has nothing", Cloud().ends(store), 0)


def on_the_server(shop, store):
    print("On the developer's server")
    (phone, server) = (Phone(shop, f"registered-{uuid.uuid4()}"), Server(store, Accounts(":memory:")))

    def end(account):
        _, answer = server.look(account, "1.0")
        found = answer.get("access", {}).get(SEASON)
        return day(found) if found else None

    phone.buy(SEASON)
    waiting = phone.unfinished()
    # The app dies here: nothing is kept, nothing is finished, and it is all there again.
    again = [one["transactionId"] for one in phone.unfinished()]
    must("  after a crash it is there again", again, [one["transactionId"] for one in waiting])
    status, answer = server.take("anna@example.com", phone.receipt(), "1.0")
    must("  the server has bound it to the account", status, 200)
    for transaction in waiting:
        assert transaction["transactionId"] in answer["kept"]
        phone.finish(transaction)
    must("  only then it is finished: unfinished", len(phone.unfinished()), 0)
    must("  the server says until when", end("anna@example.com"), "01 Oct 2026")
    server.take("bert@example.com", phone.receipt(), "1.0")
    must("  the same receipt gives another account nothing", end("bert@example.com"), None)
    shop.goes_on("P4M")
    must("  when it is over", end("anna@example.com"), None)


def main():
    path = sys.argv[1] if len(sys.argv) > 1 else "perennial-data/ready.json"
    shop = Shop(json.loads(Path(path).read_text()))
    secret = shop.call(
        "GET", f"/connect/v1/apps/{shop.ready['bundleId']}/shared-secret",
        shop.ready["operatorToken"])["sharedSecret"]
    store = Store(shop.url, shop.ready["sandbox"]["url"], secret)
    in_the_cloud(shop, store)
    on_the_server(shop, store)
    print("Everything was as it must be.")


if __name__ == "__main__":
    main()
