"""Both descriptions against the running store: a schema-driven tester (schemathesis) makes requests
that are as described and requests that are not, and holds every answer against the description.

Each surface has a store of its own, since what the tester does stays: it moves clocks, refunds,
and takes products off sale.
"""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from apple import Developer
from appstoreserverlibrary.models.Environment import Environment
from perennial import BOTH, CATALOGUE, START, Perennial
from story import Customer, Operator

HERE = Path(__file__).resolve().parent
OWN = "/openapi.json"
APPLES = "/openapi/app-store-server-api.json"

# What is excluded everywhere: `body_is_described` in contract_hooks.py does both where there is a
# body, since OpenAPI cannot say that one is only sometimes there.
EXCLUDED = ["content_type_conformance", "response_schema_conformance"]
# Operations that are left out: who signs out is a stranger to everything after it, and a verdict
# on a receipt is 200 whatever was sent (test_verify_receipt.py has both).
LEFT_OUT = ["signOut", "verifyReceipt"]
# What is excluded for Apple's interface besides: a test notification that was asked for has no
# result yet, and Apple's answer to that is 404.
APPLES_EXCLUDED = EXCLUDED + ["ensure_resource_availability"]


class World:
    """A store in which there is something of everything to ask about."""

    def __init__(self, server, environment, listener):
        self.server = server
        self.developer = Developer(server, environment)
        self.operator = Operator(server, self.developer)
        self.operator.listen(listener, *BOTH)
        self.customers = [Customer(server, self.developer, f"ada-{n}") for n in range(6)]
        bought = [
            customer.buys(f"com.example.garden.{product}") for customer in self.customers
            for product in ("estate.monthly", "seeds.100", "almanac")
        ]
        subscriptions = [one for one in bought if one.productId.endswith("monthly")]
        asked = subscriptions[3:]
        for customer, one in zip(self.customers[3:], asked):
            customer.asks_for_refund(one.transactionId)
        products = sorted({one.productId for one in bought})
        for storefront in ("USA", "DEU"):
            self.operator.schedules_price(
                subscriptions[0].productId, 12_990, storefront, start="2026-03-01T00:00:00Z")
        test = self.developer.request_test_notification().testNotificationToken
        self.operator.settle()
        # Those that are asked back are left for whoever decides about them.
        transactions = [one.transactionId for one in bought if one not in asked]
        # What exists, by the name of the parameter or member; by `operation.name` where the name
        # alone does not tell.
        self.known = {
            "transactionId": transactions, "anyTransactionId": transactions,
            "originalTransactionId": [one.originalTransactionId for one in subscriptions[:3]],
            "account": [customer.account for customer in self.customers],
            "storefront": ["USA", "DEU"], "bundleId": [server.bundle_id], "productId": products,
            "testNotificationToken": [test],
            "device": [
                number for customer in self.customers[3:]
                for number in self.operator.devices(customer.account)],
            "removeFault.id": self.fault_rules(),
            "grantRefund.id": self.requests(), "declineRefund.id": self.requests(),
            **{f"{name}.id": self.waiting_purchases() for name in (
                "getPurchaseRequest", "approvePurchase", "declinePurchase", "settlePurchase")},
        }

    def waiting_purchases(self):
        """Purchases of a child, each made once."""
        if not hasattr(self, "_waiting"):
            child = Customer(self.server, self.developer, "mia")
            self.operator.sets("mia", asksToBuy=True)
            self._waiting = [
                child.asks_for(f"com.example.garden.{product}") for product in (
                    "almanac", "seeds.100", "season.summer", "windowbox.weekly")
            ]
        return self._waiting

    def fault_rules(self):
        return [str(self.operator.adds_fault("dropNotifications")) for _ in range(2)]

    def requests(self):
        return [str(one["id"]) for one in self.operator.refund_requests()]

    def token(self, of):
        if of == "operator":
            return self.server.ready["operatorToken"]
        if of == "device":
            return self.customers[0].token
        # As the library makes them: for five minutes.
        return self.developer.client._generate_token()


@pytest.mark.parametrize("document, paths, of, environment, excluded", [
    (OWN, "^/(?!connect/)", "device", Environment.PRODUCTION, EXCLUDED),
    (OWN, "^/connect/v1/(?!clock)", "operator", Environment.SANDBOX, EXCLUDED),
    (OWN, "^/connect/v1/clock", "operator", Environment.PRODUCTION, EXCLUDED),
    (APPLES, "^/inApps/", "developer", Environment.PRODUCTION, APPLES_EXCLUDED),
], ids=["storefront", "connect", "clock", "server-api"])
def test_what_is_described_is_what_is_answered(
        document, paths, of, environment, excluded, listener, tmp_path):
    with Perennial() as server:
        world = World(server, environment, listener)
        run = subprocess.run(
            [
                sys.executable, "-m", "schemathesis.cli", "--no-color",
                "--config-file", HERE / "schemathesis.toml",
                "run", server.url(environment) + document, "--url", server.url(environment),
                "--include-path-regex", paths, "--exclude-checks", ",".join(excluded),
                *[word for name in LEFT_OUT for word in ("--exclude-operation-id", name)],
                "--header", f"Authorization: Bearer {world.token(of)}",
                "--phases", "coverage,fuzzing,stateful", "--warnings", "off",
            ],
            env={
                **os.environ, "SCHEMATHESIS_HOOKS": "contract_hooks", "PYTHONPATH": str(HERE),
                "PERENNIAL_KNOWN": json.dumps(world.known), "PERENNIAL_START": START,
                "PERENNIAL_LISTENER": listener.url(environment), "PERENNIAL_CATALOGUE": CATALOGUE,
            }, cwd=tmp_path, capture_output=True, text=True, timeout=1200)
        assert run.returncode == 0, run.stdout[-20_000:] + run.stderr[-2_000:]
        assert "request failed" not in server.log()
