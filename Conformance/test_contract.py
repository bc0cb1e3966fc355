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
from perennial import Perennial
from story import Customer, Operator

HERE = Path(__file__).resolve().parent
OWN = "/openapi.json"
APPLES = "/openapi/app-store-server-api.json"

# What is excluded, and why:
EXCLUDED = [
    # HEAD comes with every GET and is not described for itself, so `Allow` has one more.
    "allow_header_conformance",
    # Nothing is told apart by owner: see schemathesis.toml.
    "object_level_authorization",
    # Deleting a rule frees its number for nobody, and no other route shows one rule.
    "use_after_free", "ensure_resource_availability",
    # `body_is_described` in contract_hooks.py does the same where there is a body.
    "content_type_conformance", "response_schema_conformance",
]


class World:
    """A store in which there is something of everything to ask about."""

    def __init__(self, server, environment):
        self.server = server
        self.environment = environment
        self.developer = Developer(server, environment)
        self.customer = Customer(server, self.developer, "ada")
        bought = [
            self.customer.buys(f"com.example.garden.{name}")
            for name in ("estate.monthly", "seeds.100", "almanac")
        ]
        self.known = self.identifiers(bought)

    def identifiers(self, bought):
        transactions = [one.transactionId for one in bought]
        originals = [one.originalTransactionId for one in bought]
        return {
            "transactionId": transactions, "originalTransactionId": originals,
            "anyTransactionId": transactions, "account": ["ada"], "storefront": ["USA", "DEU"],
            "bundleId": [self.server.bundle_id], "productId": [one.productId for one in bought],
            "orderId": [bought[0].originalTransactionId],
        }

    def token(self, of):
        if of == "operator":
            return self.server.ready["operatorToken"]
        return self.customer.token if of == "device" else self.developer.client._generate_token()


@pytest.mark.parametrize("document, paths, of, environment", [
    (OWN, "^/(?!connect/)", "device", Environment.PRODUCTION),
    (OWN, "^/connect/v1/(?!clock)", "operator", Environment.PRODUCTION),
    (OWN, "^/connect/v1/clock", "operator", Environment.SANDBOX),
    (APPLES, "^/inApps/", "developer", Environment.PRODUCTION),
], ids=["storefront", "connect", "clock", "server-api"])
def test_what_is_described_is_what_is_answered(document, paths, of, environment, tmp_path):
    with Perennial() as server:
        world = World(server, environment)
        run = subprocess.run(
            [
                sys.executable, "-m", "schemathesis.cli", "--no-color",
                "--config-file", HERE / "schemathesis.toml",
                "run", server.url(environment) + document, "--include-path-regex", paths,
                "--header", f"Authorization: Bearer {world.token(of)}",
                "--url", server.url(environment), "--phases", "coverage,fuzzing",
                "--warnings", "off", *os.environ.get("CONTRACT_ARGS", "").split(), "--exclude-checks", ",".join(EXCLUDED),
            ],
            env={
                **os.environ, "SCHEMATHESIS_HOOKS": "contract_hooks", "PYTHONPATH": str(HERE),
                "PERENNIAL_KNOWN": json.dumps(world.known),
            }, cwd=tmp_path, capture_output=True, text=True, timeout=600)
        Path(os.environ.get("CONTRACT_OUT", "/dev/null")).write_text(run.stdout + run.stderr)
        assert run.returncode == 0, run.stdout[-20_000:] + run.stderr[-2_000:]
        assert "request failed" not in server.log()
