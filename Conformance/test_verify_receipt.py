"""Receipts that a running store hands out: read by Apple's own library and by OpenSSL, and verified
by `verifyReceipt` as a server of before 2023 does."""

import base64
import json
import random
import re
import subprocess
import time
import urllib.request
from pathlib import Path

import pytest
from apple import Developer
from appstoreserverlibrary.models.Environment import Environment
from appstoreserverlibrary.receipt_utility import ReceiptUtility
from perennial import BOTH, Perennial
from story import Customer, Operator, Refused

ESTATE = "com.example.garden.estate.monthly"
ALMANAC = "com.example.garden.almanac"


@pytest.fixture(scope="module")
def server():
    with Perennial() as server:
        yield server


@pytest.fixture(params=BOTH, ids=lambda one: one.value)
def environment(request):
    return request.param


@pytest.fixture
def developer(server, environment):
    return Developer(server, environment)


@pytest.fixture
def secret(server, developer):
    return Operator(server, developer).shared_secret()


@pytest.fixture
def anna(server, developer, request):
    anna = Customer(server, developer, f"anna-{request.node.name}", device="phone")
    anna.bought = [anna.buys(product) for product in (ESTATE, ALMANAC)]
    return anna


def verify(server, environment, **body):
    """What a server of before 2023 sends and gets."""
    request = urllib.request.Request(
        server.url(environment) + "/verifyReceipt", json.dumps(body).encode(), method="POST")
    with urllib.request.urlopen(request) as reply:
        assert reply.status == 200 and reply.headers["Content-Type"] == "application/json"
        return json.load(reply)


def other(environment):
    return next(one for one in BOTH if one != environment)


def test_apples_library_finds_a_transaction(anna):
    utility = ReceiptUtility()
    ids = [one.transactionId for one in anna.bought]
    assert utility.extract_transaction_id_from_app_receipt(anna.receipt()) in ids
    for one in ids:
        assert utility.extract_transaction_id_from_transaction_receipt(anna.receipt(one)) == one


def test_openssl_verifies_the_signature(server, anna, tmp_path):
    receipt, payload = tmp_path / "receipt", tmp_path / "payload"
    receipt.write_bytes(base64.b64decode(anna.receipt(), validate=True))
    run = subprocess.run(
        [
            "openssl", "cms", "-verify", "-inform", "DER", "-in", receipt, "-binary",
            "-CAfile", pem(server, tmp_path), "-purpose", "any", "-out", payload,
            # The store's clock stands at a moment of its own.
            "-no_check_time",
        ], capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    assert ALMANAC.encode() in payload.read_bytes()


def pem(server, folder):
    file = folder / "root.pem"
    subprocess.run(
        [
            "openssl", "x509", "-inform", "DER", "-in",
            server.ready["receiptRootCertificateFile"], "-out", file,
        ], check=True)
    return file


def test_a_receipt_is_verified_and_brings_the_newest(server, environment, anna, secret):
    reply = verify(
        server, environment, **{"receipt-data": anna.receipt(), "password": secret})
    assert reply["status"] == 0 and reply["environment"] == environment.value
    assert {one["product_id"] for one in reply["receipt"]["in_app"]} == {ESTATE, ALMANAC}
    newest = reply["latest_receipt_info"]
    assert [one["transaction_id"] for one in newest] == [
        one.transactionId for one in reversed(anna.bought)]
    assert all(isinstance(value, str) for one in newest for value in one.values())
    assert [one["product_id"] for one in reply["pending_renewal_info"]] == [ESTATE]
    again = verify(
        server, environment, **{"receipt-data": reply["latest_receipt"], "password": secret})
    assert again["status"] == 0


def test_a_receipt_of_the_other_environment_is_sent_there(server, environment, anna, secret):
    status = 21007 if environment == Environment.SANDBOX else 21008
    for receipt in (anna.receipt(), anna.receipt(anna.bought[0].transactionId)):
        body = {"receipt-data": receipt, "password": secret}
        assert verify(server, other(environment), **body) == {"status": status}
        assert verify(server, environment, **body)["status"] == 0


def test_what_is_wrong_has_its_status(server, environment, anna):
    receipt = anna.receipt()
    flipped = bytearray(base64.b64decode(receipt))
    flipped[len(flipped) // 2] ^= 1
    for body, status in [
        ({}, 21002), ({"receipt-data": "AAAA"}, 21002), ({"receipt-data": 7}, 21002),
        ({"receipt-data": receipt, "password": "wrong"}, 21004),
        ({"receipt-data": base64.b64encode(flipped).decode()}, (21002, 21003)),
    ]:
        found = verify(server, environment, **body)
        assert list(found) == ["status"]
        assert found["status"] in (status if isinstance(status, tuple) else (status,))
    with urllib.request.urlopen(server.url(environment) + "/verifyReceipt") as reply:
        assert json.load(reply) == {"status": 21000}


def test_noise_of_ten_megabytes_costs_little_time_and_memory(server, environment):
    noise = base64.b64encode(random.Random(308).randbytes(10_000_000)).decode()
    # As it is, as a container, and as the property list of iOS 6.
    bodies = [noise, "MIL/" + noise, "ewog" + noise]
    peaks = []
    for _ in range(4):
        for body in bodies:
            begun = time.monotonic()
            assert verify(server, environment, **{"receipt-data": body}) == {"status": 21002}
            assert time.monotonic() - begun < 30
        peaks.append(peak(server))
    # A few copies of the body at most, and no more however often.
    assert peaks[0] < 500_000 and peaks[-1] - peaks[0] < 100_000, peaks


def peak(server):
    """The most memory that the store has ever had, in KiB."""
    status = Path(f"/proc/{server.process_id}/status").read_text()
    return int(re.search(r"VmHWM:\s+(\d+) kB", status)[1])


def test_a_device_finishes_restores_and_signs_out(server, developer, anna):
    for one in anna.unfinished():
        anna.finishes(one)
    cursor = anna.updates()["cursor"]
    assert anna.unfinished() == [] and anna.restores() == 2
    assert [one["restored"] for one in anna.transactions(unfinished="true")] == [True, True]
    assert anna.updates(cursor)["transactions"] == []
    tablet = Customer(server, developer, anna.account, device="tablet")
    assert tablet.unfinished() == []
    bought = tablet.buys("com.example.garden.seeds.100")
    assert [one["transactionId"] for one in anna.updates(cursor)["transactions"]] == [
        bought.transactionId]
    tablet.signs_out()
    with pytest.raises(Refused):
        tablet.unfinished()
    assert bought.transactionId in anna.unfinished()
