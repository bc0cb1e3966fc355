"""What anybody but the store sends to a merchant changes nothing: every kind of forgery, and bodies
that nobody sends who means well."""

import json
import socket
from urllib.parse import urlsplit

import pytest
from merchant_process import command
from merchant_story import (  # noqa: F401: fixtures are taken by their names
    ESTATE, letters, merchant, settled, signed)

# What is authentic and meant for somebody else is kept aside, so that nothing is lost where the
# configuration is wrong.
ASIDE = {"wrongBundle", "wrongAppAppleID", "wrongEnvironment"}


def forge(garden, merchant, transaction, *about):
    """Every forgery of a transaction, as the command line makes them."""
    sandbox = ["--sandbox"] if garden.is_sandbox else []
    found = command(
        merchant.store_ready, "forge", "--all", "--of", transaction.transactionId, *sandbox)
    return [one for one in found["forgeries"] if not about or one["about"] in about]


def test_no_forged_notification_changes_anything(garden, merchant, settled):
    ada, bought = settled
    forgeries = [
        one for one in forge(garden, merchant, bought, "notification")
        if one["mustBe"] == "refused"]
    assert len(forgeries) > 50
    before = merchant.customer(ada.account), merchant.rows(besides=["inbox"])
    count, dead = len(merchant.rows()["inbox"]), len(merchant.dead_letters())
    aside = 0
    for one in forgeries:
        reply = merchant.notify(one["text"])
        if one["code"] in ASIDE:
            assert reply.status_code == 200, one["name"]
            aside += 1
        elif one["code"] == "tooLarge":
            assert reply.status_code == 413, one["name"]
        else:
            assert (reply.status_code, reply.json()["error"]) == (400, "notVerified"), one["name"]
    assert aside > 0
    merchant.settle()
    assert (merchant.customer(ada.account), merchant.rows(besides=["inbox"])) == before
    # They can be looked at, and nothing else came of them.
    assert len(merchant.rows()["inbox"]) == count + aside
    assert len(merchant.dead_letters()) == dead + aside


def test_what_is_genuine_outside_and_forged_inside_is_a_dead_letter(garden, merchant, settled):
    ada, bought = settled
    forgeries = [
        one for one in forge(garden, merchant, bought, "notification")
        if one["name"].startswith("notification-inner-")]
    assert len(forgeries) == 3
    before = merchant.customer(ada.account), merchant.rows(besides=["inbox"])
    dead = {one["id"] for one in merchant.dead_letters()}
    assert merchant.takes(*[one["text"] for one in forgeries]) == ["kept"] * 3
    found = [one for one in merchant.dead_letters() if one["id"] not in dead]
    assert len(found) == 3 and all(one["problem"] for one in found)
    for one in found:
        # Trying again changes nothing either.
        merchant.command("merchant", "replay", one["id"])
    assert {one["id"] for one in found} <= {one["id"] for one in merchant.dead_letters()}
    assert (merchant.customer(ada.account), merchant.rows(besides=["inbox"])) == before


def test_two_signatures_of_one_notification_are_one(garden, merchant, settled):
    _, bought = settled
    forgeries = {one["name"]: one for one in forge(garden, merchant, bought, "notification")}
    for name in ["notification-signature-mirrored", "notification-repeated"]:
        one = forgeries[name]
        assert merchant.takes(one["first"], one["text"]) == ["kept", "repeated"], name


def test_no_forged_transaction_gives_anybody_anything(garden, merchant, settled):
    ada, bought = settled
    # Merchants take both environments, each apart: of the other one it is no forgery here.
    forgeries = [
        one for one in forge(garden, merchant, bought, "transaction")
        if one["mustBe"] == "refused" and not one["name"].endswith("-wrong-environment")]
    assert len(forgeries) > 50
    before = merchant.customer(ada.account), merchant.rows()
    for one in forgeries:
        for restore in [False, True]:
            reply = merchant.send("mallory", one["text"], restore=restore)
            assert reply.status_code in (400, 413), one["name"]
    assert (merchant.customer(ada.account), merchant.rows()) == before
    assert merchant.customer("mallory")["version"] == 0


def test_a_text_of_another_kind_is_no_notification_and_no_purchase(garden, merchant, settled):
    _, bought = settled
    others = [
        one for one in forge(garden, merchant, bought)
        if one["about"] not in ("notification", "transaction")
        # Of these each is a genuine text of the sort that it is not about.
        and not one["name"].endswith("-of-another-sort")]
    assert {one["about"] for one in others} == {
        "renewal-info", "app-transaction", "receipt", "request-token", "in-app-request"}
    before = merchant.rows()
    unexpected = []
    for one in others:
        replies = [merchant.notify(one["text"]), merchant.send("mallory", one["text"])]
        if any(reply.status_code not in (400, 413) for reply in replies):
            unexpected.append((one["name"], [reply.status_code for reply in replies]))
    assert unexpected == []
    assert merchant.rows() == before


HOSTILE = {
    "nothing": (b"", 400),
    "white space": (b" \r\n\t", 400),
    "not JSON": (b"signedPayload=eyJ", 400),
    "not UTF-8": (b'{"signedPayload":"\xff\xfe"}', 400),
    "a null byte": (b'{"signedPayload":"a\x00"}', 400),
    "half an object": (b'{"signedPayload":"eyJ', 400),
    "something behind it": (b'{"signedPayload":"a.b.c"} {}', 400),
    "a list": (b"[]", 400),
    "a text": (b'"signedPayload"', 400),
    "null": (b'{"signedPayload":null}', 400),
    "a number": (b'{"signedPayload":1e400}', 400),
    "an object in it": (b'{"signedPayload":{"signedPayload":"a.b.c"}}', 400),
    "another name": (b'{"SignedPayload":"a.b.c"}', 400),
    "no text": (b'{"signedPayload":""}', 400),
    "dots": (b'{"signedPayload":".."}', 400),
    "a thousand dots": (b'{"signedPayload":"' + b"." * 1000 + b'"}', 400),
    "a notification of version 1": (b'{"notification_type":"CANCEL","auto_renew_status":"false"}', 400),
    "lists in lists": (b"[" * 200_000, 400),
    "objects in objects": (b'{"signedPayload":' * 10_000, 400),
    "closed lists in lists": (b"[" * 100_000 + b"]" * 100_000, 400),
    "very many members": (
        json.dumps({f"member{number}": number for number in range(10_000)}).encode(), 400),
    "more than a body has": (b'{"signedPayload":"' + b"a" * (1 << 20) + b'"}', 413),
    "white space without end": (b" " * (1 << 20), 413),
}


@pytest.mark.parametrize("what", HOSTILE)
def test_a_hostile_body_is_refused(merchant, what):
    body, expected = HOSTILE[what]
    before = merchant.rows()
    reply = merchant.post(body)
    assert reply.status_code == expected, reply.text
    assert set(reply.json()) >= {"error", "message"}
    assert merchant.rows() == before


def test_a_notification_that_breaks_off_anywhere_is_refused(garden, merchant, letters):
    garden.customer().buys(ESTATE)
    [notification] = letters()
    body = json.dumps({"signedPayload": notification}).encode()
    before = merchant.rows()
    for length in range(0, len(body), 97):
        assert merchant.post(body[:length]).status_code == 400, length
    for length in range(0, len(notification), 211):
        assert merchant.notify(notification[:length]).status_code == 400, length
    assert merchant.rows() == before
    assert merchant.takes(notification) == ["kept"]


def test_a_request_that_is_never_finished_holds_up_nobody(garden, merchant, letters):
    """Twenty clients promise more than they send."""
    garden.customer().buys(ESTATE)
    [notification] = letters()
    place = urlsplit(merchant.url)
    open_ones = []
    try:
        for number in range(20):
            client = socket.create_connection((place.hostname, place.port), timeout=60)
            length = "Transfer-Encoding: chunked" if number % 2 else "Content-Length: 100000"
            head = (
                f"POST /apple/v2/{merchant.app['bundleId']} HTTP/1.1\r\nHost: merchant\r\n"
                f"Content-Type: application/json\r\n{length}\r\n\r\n")
            client.sendall(head.encode() + b'{"signedPayload":"' * (1 - number % 2))
            open_ones.append(client)
        assert merchant.takes(notification) == ["kept"]
    finally:
        for client in open_ones:
            client.close()
    assert merchant.notify(notification).json() == {"result": "repeated"}


@pytest.mark.parametrize("path", [
    "/apple/v2/com.example.nobody", "/apple/v2/", "/apple/v3/com.example.app",
    "/apple/v2/..%2f..%2fv1%2foperator%2fsettle"])
def test_another_path_is_not_found(merchant, path):
    reply = merchant.call("POST", path, "nobody", {"signedPayload": "a.b.c"})
    assert reply.status_code == 404
