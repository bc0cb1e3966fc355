"""Secrets stay where they belong, however much is logged."""

import base64
import json

from appstoreserverlibrary.models.Environment import Environment
from conftest import Garden
from cryptography.hazmat.primitives import serialization
from perennial import Perennial


def secrets(server, device_token):
    """Each secret in the spellings in which it could get out."""
    yield "operator token", server.ready["operatorToken"]
    yield "device token", device_token
    key = serialization.load_pem_private_key(server.private_key, password=None)
    number = key.private_numbers().private_value
    yield "API key as PEM", server.private_key.decode().splitlines()[1]
    yield "API key in hexadecimals", f"{number:064x}"
    yield "API key in base64", base64.b64encode(number.to_bytes(32, "big")).decode()


def test_no_secret_is_logged_or_printed(listener):
    with Perennial("--log-level", "trace", "--notify", listener.url(Environment.PRODUCTION)) as server:
        garden = Garden(server, listener, Environment.PRODUCTION)
        customer = garden.customer()
        bought = customer.buys("com.example.garden.estate.monthly")
        garden.operator.wait(garden.month)
        garden.developer.get_transaction_info(bought.transactionId)
        kept = list(secrets(server, customer.token))
        server.terminate()
        log = server.log()
    assert "request answered" in log, "nothing was logged at all"
    assert [name for name, secret in kept if secret in log] == []


def test_the_ready_file_says_where_keys_are_and_not_what_they_are(server):
    ready = json.dumps(server.ready)
    assert "PRIVATE KEY" not in ready
    assert server.private_key.decode().splitlines()[1] not in ready
