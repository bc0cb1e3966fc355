"""A merchant beside a store, over real HTTP, with Apple's own library as the judge: what the store
signed is taken, what anybody else sends changes nothing, and the answers are right."""

import json
import socket
import time
from datetime import datetime, timedelta, timezone
from urllib.parse import urlsplit

import pytest
from appstoreserverlibrary.models.Environment import Environment
from appstoreserverlibrary.models.Status import Status
from conftest import Garden
from merchant_process import DevProcess, MerchantProcess, Unavailable, calls, command
from perennial import BOTH, CATALOGUE, START, Perennial

ESTATE = "com.example.garden.estate.monthly"
WEEKLY = "com.example.garden.windowbox.weekly"
GROUP = "5C0A11E7"

# What is authentic and meant for somebody else is kept aside, so that nothing is lost where the
# configuration is wrong.
ASIDE = {"wrongBundle", "wrongAppAppleID", "wrongEnvironment"}


@pytest.fixture(scope="module")
def merchant(server):
    with MerchantProcess(server) as merchant:
        yield merchant


@pytest.fixture
def letters(garden):
    """The signed notifications that the store has sent since the last call."""
    def taken():
        garden.operator.settle()
        return garden.listener.take_arrivals(garden.environment)
    taken()
    return taken


def signed(customer, transaction):
    """A transaction as the device has it."""
    return next(
        one["signedTransactionInfo"] for one in customer.transactions()
        if one["transaction"].transactionId == transaction.transactionId)


def moment(milliseconds):
    """As the merchant writes it; the store's moments in these stories are whole seconds."""
    return datetime.fromtimestamp(
        milliseconds / 1000, timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")


def club(customer):
    """The entitlement of the garden's subscription group in a merchant's answer."""
    [found] = [one for one in customer["entitlements"] if one["id"] == GROUP]
    return found


def status(garden, transaction):
    """Apple's status of a subscription, asked with Apple's client."""
    reply = garden.developer.get_all_subscription_statuses(transaction.originalTransactionId)
    [group] = [one for one in reply.data if one.subscriptionGroupIdentifier == GROUP]
    return group.lastTransactions[0].status


def agrees(garden, merchant, account, transaction):
    """The merchant grants where Apple's status is active or grace; returns the entitlement."""
    entitlement = club(merchant.customer(account))
    good = {Status.ACTIVE, Status.BILLING_GRACE_PERIOD}
    assert entitlement["granted"] == (status(garden, transaction) in good), entitlement
    assert entitlement["environment"] == garden.environment.value
    return entitlement


# What the store has signed


def test_a_purchase_its_renewal_and_its_refund(garden, merchant, letters):
    ada = garden.customer()
    bought = ada.buys(ESTATE)
    customer = merchant.owns(ada.account, signed(ada, bought))
    assert club(customer)["reason"] == "active"
    assert club(customer)["until"] == moment(bought.expiresDate)
    assert set(merchant.takes(*letters())) == {"kept"}
    assert agrees(garden, merchant, ada.account, bought)["willRenew"] is True
    versions = [customer["version"]]

    garden.operator.wait(garden.month)
    # Nobody has said so yet, and access has ended by itself.
    assert club(merchant.customer(ada.account))["reason"] == "expired"
    assert set(merchant.takes(*letters())) == {"kept"}
    renewed = agrees(garden, merchant, ada.account, bought)
    newest = garden.developer.history(bought.originalTransactionId)[-1]
    assert newest.transactionId != bought.transactionId
    assert (renewed["transactionId"], renewed["until"]) == (
        newest.transactionId, moment(newest.expiresDate))
    versions.append(merchant.customer(ada.account)["version"])

    # A refund of a period that is over takes nothing, that of the newest one takes all.
    garden.operator.wait("PT1S")
    garden.operator.refunds(bought.transactionId)
    merchant.takes(*letters())
    assert club(merchant.customer(ada.account))["reason"] == "active"
    garden.operator.wait("PT1S")
    garden.operator.refunds(newest.transactionId)
    merchant.takes(*letters())
    refunded = agrees(garden, merchant, ada.account, bought)
    assert (refunded["granted"], refunded["reason"]) == (False, "refunded")
    versions.append(merchant.customer(ada.account)["version"])

    garden.operator.wait("PT1S")
    garden.operator.reverses_refund(newest.transactionId)
    merchant.takes(*letters())
    assert agrees(garden, merchant, ada.account, bought)["reason"] == "active"
    versions.append(merchant.customer(ada.account)["version"])
    assert versions == sorted(set(versions))


def test_any_order_and_repetition_ends_the_same(garden, server, merchant, letters):
    with MerchantProcess(server) as other:
        ada = garden.customer()
        bought = ada.buys(ESTATE)
        garden.operator.wait(garden.days(2))
        ada.turns_renewal(False, bought.originalTransactionId)
        garden.operator.wait(garden.days(2))
        ada.turns_renewal(True, bought.originalTransactionId)
        garden.operator.wait(garden.month)
        arrived = letters()
        assert len(arrived) >= 4
        proof = signed(ada, bought)
        merchant.owns(ada.account, proof)
        merchant.takes(*arrived)
        assert set(other.takes(*reversed(arrived))) == {"kept"}
        assert set(other.takes(*arrived)) == {"repeated"}
        other.owns(ada.account, proof)
        answers = [one.customer(ada.account) for one in (merchant, other)]
    for answer in answers:
        # How often a register changed depends on the order.
        del answer["version"]
    assert answers[0] == answers[1]


# What anybody else sends


def forge(garden, merchant, transaction, *about):
    """Every forgery of a transaction, as the command line makes them."""
    sandbox = ["--sandbox"] if garden.is_sandbox else []
    found = command(
        merchant.store_ready, "forge", "--all", "--of", transaction.transactionId, *sandbox)
    return [one for one in found["forgeries"] if not about or one["about"] in about]


@pytest.fixture
def settled(garden, merchant, letters):
    """A purchase of each of two customers, of which the merchant knows everything."""
    other, ada = garden.customer(), garden.customer()
    other.buys(ESTATE)
    bought = ada.buys(ESTATE)
    merchant.owns(ada.account, signed(ada, bought))
    merchant.takes(*letters())
    return ada, bought


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
    "objects in objects": (b'{"signedPayload":' * 20_000, 400),
    "closed lists in lists": (b"[" * 100_000 + b"]" * 100_000, 400),
    "very many members": (
        json.dumps({f"member{number}": number for number in range(20_000)}).encode(), 400),
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
    "/apple/v2/com.example.nobody", "/apple/v2/", "/apple/v1/com.example.app",
    "/apple/v2/..%2f..%2fv1%2foperator%2fsettle"])
def test_another_path_is_not_found(merchant, path):
    reply = merchant.call("POST", path, "nobody", {"signedPayload": "a.b.c"})
    assert reply.status_code == 404


# The wrong configuration


def test_what_the_configuration_does_not_take_waits_until_it_does(server, garden, letters):
    """An environment that nobody thought of: its notifications are set aside, and processed once
    the configuration names it."""
    other = Environment.PRODUCTION if garden.is_sandbox else Environment.SANDBOX

    def text(*environments):
        names = ", ".join(one.value.lower() for one in environments)
        return f"apps:\n- store: store.json\n  environments: [{names}]\n"

    with MerchantProcess(server, configuration=text(other), looks=1) as merchant:
        ada = garden.customer()
        bought = ada.buys(ESTATE)
        arrived = letters()
        reply = merchant.send(ada.account, signed(ada, bought))
        assert (reply.status_code, reply.json()["error"]) == (400, "notVerified")
        assert set(merchant.takes(*arrived)) == {"setAside"}
        assert set(merchant.takes(*arrived)) == {"setAside"}
        assert merchant.customer(ada.account)["version"] == 0
        dead = merchant.command("merchant", "dead-letters")["deadLetters"]
        assert len(dead) == len(arrived)
        assert all("wrongEnvironment" in one["problem"] for one in dead)
        for one in dead:
            with pytest.raises(Unavailable):
                merchant.command("merchant", "replay", one["id"])
        merchant.configure(text(*BOTH))
        wait_until(lambda: merchant.send(ada.account, signed(ada, bought)).ok)
        for one in dead:
            merchant.command("merchant", "replay", one["id"])
        assert merchant.dead_letters() == []
        assert agrees(garden, merchant, ada.account, bought)["reason"] == "active"
        why = merchant.command("merchant", "why", ada.account)
        assert [one["state"] for one in why["purchases"][0]["notifications"]] == ["processed"]


def wait_until(is_so):
    """Asks again and again, as it takes a running merchant a second or two to see a file."""
    give_up_at = time.monotonic() + 60
    while not is_so():
        assert time.monotonic() < give_up_at
        time.sleep(0.1)


# Long ago, and clocks that are wrong


def test_a_replay_a_year_old_changes_nothing(listener):
    with Perennial() as server, MerchantProcess(server) as knowing, MerchantProcess(
            server) as forgetful:
        garden = Garden(server, listener, Environment.PRODUCTION)
        garden.operator.listen(listener, *BOTH)
        listener.take_arrivals(garden.environment)
        ada = garden.customer()
        bought = ada.buys(ESTATE)
        proof = signed(ada, bought)
        garden.operator.settle()
        old = listener.take_arrivals(garden.environment)
        # An hour later than the renewal, as the refund is signed later.
        garden.operator.wait("P13M")
        garden.operator.wait("PT1H")
        garden.operator.settle()
        renewals = listener.take_arrivals(garden.environment)
        assert len(renewals) == 13
        newest = garden.developer.history(bought.originalTransactionId)[-1]
        garden.operator.refunds(newest.transactionId)
        garden.operator.settle()
        refund = listener.take_arrivals(garden.environment)
        knowing.takes(*old, *renewals, *refund)
        knowing.owns(ada.account, proof)
        before = knowing.customer(ada.account), knowing.rows(besides=["inbox"])
        assert club(before[0])["reason"] == "refunded"
        assert set(knowing.takes(*old, *renewals)) == {"repeated"}
        knowing.owns(ada.account, proof)
        assert knowing.send("mallory", proof).status_code == 409
        assert (knowing.customer(ada.account), knowing.rows(besides=["inbox"])) == before
        # It never had them: they are news, and older than what it knows.
        forgetful.takes(*refund)
        forgetful.owns(ada.account, proof)
        assert club(forgetful.customer(ada.account))["reason"] == "refunded"
        assert set(forgetful.takes(*renewals, *old)) == {"kept"}
        assert club(forgetful.customer(ada.account)) == club(before[0])


@pytest.mark.parametrize("days", [-1, 1], ids=["behind", "ahead"])
def test_a_clock_that_is_wrong_by_a_day_loses_nothing(listener, days):
    """The store's clock is a day off the merchant's, which goes by its machine's."""
    now = datetime.now(timezone.utc).replace(microsecond=0)
    # Three days of trial end twelve hours ago.
    start = now - timedelta(days=3, hours=12)

    def text(moment):
        return moment.strftime("%Y-%m-%dT%H:%M:%SZ")

    with Perennial(at=text(start)) as server, MerchantProcess(
            server, clock="system") as merchant:
        garden = Garden(server, listener, Environment.PRODUCTION)
        garden.operator.listen(listener, *BOTH)
        listener.take_arrivals(garden.environment)
        ada = garden.customer()
        bought = ada.buys(WEEKLY)
        if days < 0:
            ada.turns_renewal(False, bought.originalTransactionId)
        merchant.owns(ada.account, signed(ada, bought))
        garden.operator.wait_until(text(now + timedelta(days=days)))
        garden.operator.settle()
        arrived = listener.take_arrivals(garden.environment)
        assert set(merchant.takes(*arrived)) == {"kept"}
        assert merchant.dead_letters() == []
        [entitlement] = merchant.customer(ada.account)["entitlements"]
        newest = garden.developer.history(bought.originalTransactionId)[-1]
        # What was signed tomorrow is taken today.
        assert entitlement["until"] == moment(newest.expiresDate)
        assert entitlement["granted"] == (newest.expiresDate > now.timestamp() * 1000)
        # A store that is late says that the trial still runs, and here it is over.
        reply = garden.developer.get_all_subscription_statuses(bought.originalTransactionId)
        assert reply.data[0].lastTransactions[0].status == Status.ACTIVE
        assert entitlement["granted"] == (days > 0)


# What was missed


def test_what_was_missed_is_asked_for_at_the_store(garden, merchant, letters):
    """Drives the merchant's client of the App Store Server API: pages of the history of
    notifications, and statuses of what ended without a word."""
    ada = garden.customer()
    bought = ada.buys(ESTATE)
    merchant.owns(ada.account, signed(ada, bought))
    for _ in range(12):
        ada.turns_renewal(False, bought.originalTransactionId)
        garden.operator.wait(garden.days(1))
        ada.turns_renewal(True, bought.originalTransactionId)
        garden.operator.wait(garden.days(1))
    lost = letters()
    assert len(lost) > 20
    history = ("POST", "/inApps/v1/notifications/history", 200)
    statuses = ("GET", "/inApps/v1/subscriptions/{anyTransactionId}", 200)
    before = calls(garden.server, garden.environment)
    reports = {
        one["environment"]: one for one in merchant.command("merchant", "gaps", "--heal")["gaps"]}
    report = reports[garden.environment.value]
    assert "problem" not in report, report
    assert report["healed"] >= len(lost)
    after = calls(garden.server, garden.environment)
    # Twenty notifications a page.
    assert after[history] - before.get(history, 0) >= 2
    assert set(merchant.takes(*lost)) == {"repeated"}
    assert agrees(garden, merchant, ada.account, bought)["reason"] == "active"

    # What the history does not have either.
    garden.operator.configure(notificationUrl="", sandboxNotificationUrl="")
    try:
        garden.operator.wait(garden.month)
    finally:
        garden.operator.listen(garden.listener, *BOTH)
    assert club(merchant.customer(ada.account))["reason"] == "expired"
    healed = merchant.command("merchant", "gaps", "--heal")["gaps"]
    [report] = [one for one in healed if one["environment"] == garden.environment.value]
    assert report["asked"] >= 1 and report["changed"] >= 1, report
    assert calls(garden.server, garden.environment)[statuses] > before.get(statuses, 0)
    assert agrees(garden, merchant, ada.account, bought)["reason"] == "active"
    assert merchant.command("merchant", "gaps")["gaps"] == healed


# The commands


def test_the_commands_say_what_the_routes_say():
    with DevProcess(CATALOGUE, START) as dev:
        bought = dev.command("buy", ESTATE, "--account", "anna")
        info = bought["transactionInfo"]
        assert club(bought["merchant"])["reason"] == "active"
        assert dev.command("merchant", "status", "anna") == bought["merchant"] | {
            "version": dev.command("merchant", "status", "anna")["version"]}
        assert dev.command("merchant", "status", "nobody")["version"] == 0
        dev.command("advance", "P1M")
        status = dev.command("merchant", "status", "anna")
        assert club(status)["until"] == "2026-03-31T00:00:00Z"
        why = dev.command("merchant", "why", "anna", GROUP)
        [purchase] = why["purchases"]
        assert purchase["originalTransactionId"] == info["originalTransactionId"]
        assert [
            (one["type"], one.get("subtype"), one["state"]) for one in purchase["notifications"]
        ] == [("SUBSCRIBED", "INITIAL_BUY", "processed"), ("DID_RENEW", None, "processed")]
        assert dev.command("merchant", "why", "anna", "something")["purchases"] == []
        dev.command("advance", "P1D")
        dev.command("refunds", "issue", club(status)["transactionId"])
        dev.command("merchant", "settle")
        assert club(dev.command("merchant", "status", "anna"))["reason"] == "refunded"
        assert dev.command("merchant", "dead-letters")["deadLetters"] == []
        assert dev.command("merchant", "gaps")["gaps"] == []
        healed = dev.command("merchant", "gaps", "--heal")["gaps"]
        assert {one["environment"]: one["healed"] for one in healed} == {
            "Production": 0, "Sandbox": 0}
        assert dev.command("merchant", "gaps")["gaps"] == healed
        with pytest.raises(Unavailable):
            dev.command("merchant", "replay", 1)
