"""People whose accounts are looked at: what a customer can see there, each with somebody in it."""

import contextlib
import json
import tempfile
import urllib.request
from pathlib import Path

from store import CATALOGUE, Refused
from world import ESTATE, GARDEN, HOSTILE_NAMES, SEEDS, VEGETABLES

ALMANAC, PASS, DOCTOR = GARDEN + "almanac", GARDEN + "season.summer", GARDEN + "doctor.monthly"
YEARLY, BOX, FLOWERS = GARDEN + "estate.yearly", GARDEN + "windowbox.monthly", GARDEN + "flowers.monthly"
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


def connect(environment, method, path, body=None):
    """A call of the operator's."""
    request = urllib.request.Request(
        environment.url + path, json.dumps(body).encode() if body is not None else None,
        {"Authorization": f"Bearer {environment.store.ready['operatorToken']}",
         "Content-Type": "application/json"}, method=method)
    with urllib.request.urlopen(request, timeout=60) as answer:
        return json.loads(answer.read() or b"null")


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
    run("app", "set", "--mails", "everybody", "--refund-policy", "manual")
    run("product", "monthly-billing", YEARLY, "on", "--price", "9.49")
    run("offer", "codes", "create", VEGETABLES, "SPRING", "--custom", CODE, "--count", 500)
    run("offer", "codes", "create", FLOWERS, "BOUQUET", "--custom", BOUQUET, "--count", 500)


def _begin(run):
    run("customer", "set", "omar", "--email", ADDRESS)
    for account, product in [
            ("omar", ESTATE), ("omar", ALMANAC), ("omar", PASS), ("omar", SEEDS),
            ("omar", HOSTILE_PRODUCT), ("lena", DOCTOR), ("lars", ESTATE), ("paul", VEGETABLES),
            ("greta", ESTATE), (HOSTILE_NAMES[0], VEGETABLES)]:
        run("buy", product, "--account", account)
    for account, country in [("heidi", "DEU"), ("kenji", "JPN"), ("layla", "SAU")]:
        run("buy", ESTATE, "--account", account, "--storefront", country)
    run("buy", YEARLY, "--account", "yuki", "--storefront", "JPN",
        "--billing-plan", "monthly")
    run("renewal", "yuki", "off")
    run("renewal", "lena", "off")
    run("renewal", "lars", "off")
    run("family", "create", "omar", "mia", "nils", HOSTILE_NAMES[1])
    for account in ["mia", "nils"]:
        run("customer", "set", account, "--asks-to-buy", "on")


def _leave_things_open(run):
    run("refunds", "request", "omar")
    run("plan", "greta", VEGETABLES)
    run("pay", "paul", "decline")
    run("advance", "P30D")
    run("customer", "set", "ivan", "--interrupts-purchases", "on")
    run("customer", "set", "otto", "--can-make-payments", "off")
    run("pay", "leo", "later")
    for account in ["mia", "nils", "ivan", "leo"]:
        with contextlib.suppress(Refused):
            run("buy", SEEDS, "--account", account)
    run("price", "schedule", ESTATE, "DEU", AFTER, "--existing", "apply")
    run("price", "schedule", ESTATE, "USA", AFTER, "--existing", "apply")
    connect(run, "PUT", f"/connect/v1/apps/{run.app()}/opt-in", {
        "names": [{"locale": "en_US", "name": "The Garden & <b>Sons</b>"}], "bonus": "P1M"})
