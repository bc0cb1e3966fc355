"""People whose accounts are looked at: what a customer can see there, each with somebody in it."""

import contextlib
import json
import tempfile
import urllib.error
import urllib.request
from pathlib import Path
from urllib.parse import quote

from store import CATALOGUE
from world import ESTATE, GARDEN, HOSTILE_NAMES, SEEDS, VEGETABLES

ALMANAC, PASS, DOCTOR = GARDEN + "almanac", GARDEN + "season.summer", GARDEN + "doctor.monthly"
YEARLY, BOX, FLOWERS = GARDEN + "estate.yearly", GARDEN + "windowbox.monthly", GARDEN + "flowers.monthly"
# The only app, unless a store is told otherwise.
APP = "com.example.app"
# What a developer may call a product, though none means well who does.
HOSTILE_PRODUCT = GARDEN + "hostile"
HOSTILE_TEXT = '"><img src=x onerror=alert(21)>{{heading}}'
ADDRESS = "omar@example.com"
CODE, BOUQUET = "SPRING28", "BOUQUET28"
# What some of them pay, and are to pay.
BEFORE, AFTER = "9.99", "12.99"


def plant(production):
    """Makes everybody, and lets three months go by."""
    _sell(production)
    _begin(production)
    production("advance", "P3M")
    production("advance", "P5D")
    _leave_things_open(production)


def ask(environment, method, path, body=None, token=None):
    """A call of the operator's, or of a device by its token: sooner done than a command."""
    token = token or environment.store.ready["operatorToken"]
    request = urllib.request.Request(
        environment.url + path, json.dumps(body).encode() if body is not None else None,
        {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}, method=method)
    with urllib.request.urlopen(request, timeout=60) as answer:
        return json.loads(answer.read() or b"null")


class Device:
    """A customer's telephone."""

    def __init__(self, environment, account, storefront="USA"):
        self._environment = environment
        signed_in = ask(environment, "POST", "/storefront/v1/sign-in", {
            "bundleId": APP, "account": account, "storefront": storefront})
        self._token = signed_in["token"]

    def ask(self, method, path, body=None):
        return ask(self._environment, method, f"/storefront/v1/{path}", body, self._token)

    def buys(self, product, **options):
        with contextlib.suppress(urllib.error.HTTPError):
            return self.ask("POST", "purchases", {"productId": product, **options})

    def subscriptions(self):
        return self.ask("GET", "subscriptions")["subscriptions"]


def subscription(environment, account):
    """The identifier of a customer's newest subscription."""
    return environment.customer(account)["subscriptions"][-1]["originalTransactionId"]


def set_customer(environment, account, **settings):
    Device(environment, account)
    ask(environment, "PATCH", f"/connect/v1/customers/{quote(account, safe='')}", settings)


def set_payment(environment, account, behaviour):
    ask(environment, "PUT", f"/connect/v1/customers/{account}/payment-method",
        {"behaviour": behaviour})


def _sell(run):
    catalogue = json.loads(CATALOGUE.read_text())
    seeds = next(one for one in catalogue["products"] if one["productID"] == SEEDS)
    text = {"displayName": HOSTILE_TEXT[:30], "description": HOSTILE_TEXT[:45], "locale": "en_US"}
    catalogue["products"].append({
        **seeds, "productID": HOSTILE_PRODUCT, "internalID": "6A8FFFFF",
        "referenceName": "Hostile", "localizations": [text]})
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "Garden.storekit")
        file.write_text(json.dumps(catalogue))
        run.imports(file)
    run("app", "set", "--name", "Garden", "--mails", "everybody", "--refund-policy", "manual")
    run("product", "monthly-billing", YEARLY, "on", "--price", "9.49")
    run("offer", "codes", "create", VEGETABLES, "SPRING", "--custom", CODE, "--count", 500)
    run("offer", "codes", "create", FLOWERS, "BOUQUET", "--custom", BOUQUET, "--count", 500)


def _begin(run):
    set_customer(run, "omar", email=ADDRESS)
    for account, product in [
            ("omar", ALMANAC), ("omar", PASS), ("omar", SEEDS), ("omar", HOSTILE_PRODUCT),
            ("omar", ESTATE), ("lena", DOCTOR), ("lars", ESTATE), ("paul", VEGETABLES),
            ("greta", ESTATE), (HOSTILE_NAMES[0], VEGETABLES)]:
        Device(run, account).buys(product)
    for account, country in [("heidi", "DEU"), ("hanna", "DEU"), ("kenji", "JPN"), ("layla", "SAU")]:
        Device(run, account, country).buys(ESTATE)
    Device(run, "yuki", "JPN").buys(YEARLY, billingPlanType="MONTHLY")
    for account in ["yuki", "lena", "lars"]:
        _stops(run, account)
    run("family", "create", "omar", "mia", "nils", HOSTILE_NAMES[1])
    for account in ["mia", "nils"]:
        set_customer(run, account, asksToBuy=True)


def _stops(run, account):
    [one] = Device(run, account).subscriptions()
    Device(run, account).ask(
        "PATCH", f"subscriptions/{one['originalTransactionId']}", {"autoRenew": False})


def _leave_things_open(run):
    set_payment(run, "paul", "decline")
    # Germans are asked, Americans told: 27 days before the renewal after the next.
    run("price", "schedule", ESTATE, "DEU", AFTER, "--existing", "apply")
    run("price", "schedule", ESTATE, "USA", AFTER, "--existing", "apply")
    run("advance", "P30D")
    device = Device(run, "omar")
    seeds = next(one for one in device.ask("GET", "purchases")["purchases"]
                 if one["productId"] == SEEDS)
    device.ask("POST", f"transactions/{seeds['transactionId']}/refund-request",
               {"reason": "OTHER"})
    device = Device(run, "greta")
    [one] = device.subscriptions()
    device.ask("PATCH", f"subscriptions/{one['originalTransactionId']}", {
        "productId": VEGETABLES})
    set_customer(run, "ivan", interruptsPurchases=True)
    set_customer(run, "otto", canMakePayments=False)
    Device(run, "leo")
    set_payment(run, "leo", "later")
    for account in ["mia", "nils", "ivan", "leo"]:
        Device(run, account).buys(SEEDS)
    ask(run, "PUT", f"/connect/v1/apps/{APP}/opt-in", {
        "names": [{"locale": "en_US", "name": "The Garden & <b>Sons</b>"}], "bonus": "P1M"})
