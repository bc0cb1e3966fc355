"""A merchant beside a store, over real HTTP, with Apple's own library as the judge: what the store
signed is taken, what was missed is asked for, and the answers are right."""

import time
from datetime import datetime, timedelta, timezone

import pytest
from appstoreserverlibrary.models.Environment import Environment
from appstoreserverlibrary.models.Status import Status
from conftest import Garden
from merchant_process import DevProcess, MerchantProcess, Unavailable, calls
from merchant_story import (  # noqa: F401: fixtures are taken by their names
    ESTATE, GROUP, agrees, club, letters, merchant, moment, signed)
from perennial import BOTH, CATALOGUE, START, Perennial

WEEKLY = "com.example.garden.windowbox.weekly"


# What the store has signed


def test_a_purchase_its_renewal_and_its_refund(garden, merchant, letters):
    ada = garden.customer()
    bought = ada.buys(ESTATE)
    customer = merchant.owns(ada.account, signed(ada, bought))
    assert club(customer)["reason"] == "active"
    assert club(customer)["until"] == moment(bought.expiresDate)
    assert set(merchant.takes(*letters())) == {"kept"}
    assert agrees(garden, merchant, ada.account, bought)["willRenew"] is True
    assert [
        (one["originalTransactionId"], one["productId"], one["status"], one["until"],
         one["willRenew"], one["nextProductId"])
        for one in merchant.customer(ada.account)["subscriptions"]
    ] == [(
        bought.originalTransactionId, ESTATE, "active", moment(bought.expiresDate), True, ESTATE)]
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
        time.sleep(1 / 10)


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


# Who may ask


def test_a_token_opens_what_it_is_for(garden, merchant, server):
    """403 where the token is one of the merchant's and not for this, 401 where it is nobody's."""
    app = f"/v1/apps/{merchant.app['bundleId']}"
    for path, token, status, error in [
            (f"{app}/accounts/ada", merchant.app["appToken"], 200, None),
            (f"{app}/accounts/ada/why", merchant.app["serverToken"], 200, None),
            (f"{app}/accounts/ada/why", merchant.app["appToken"], 403, "forbidden"),
            ("/v1/operator/gaps", merchant.app["serverToken"], 403, "forbidden"),
            ("/v1/apps/com.example.other/accounts/ada", merchant.app["appToken"], 403, "otherApp"),
            (f"{app}/accounts/ada", "nobody", 401, "unauthenticated")]:
        reply = merchant.call("GET", path, token)
        assert (reply.status_code, reply.json().get("error")) == (status, error), path


# What was missed


def looks(reports, environment):
    """The looks in one environment by their kinds; all of them have come to their end."""
    found = {one["kind"]: one for one in reports if one["environment"] == environment.value}
    for one in found.values():
        assert one["state"] == "done" and "problem" not in one, one
    return found


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
    looked = looks(merchant.command("merchant", "gaps", "--heal")["gaps"], garden.environment)
    assert looked["history"]["healed"] >= len(lost)
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
    statuses_read = looks(healed, garden.environment)["statuses"]
    assert statuses_read["read"] >= 1 and statuses_read["changed"] >= 1, statuses_read
    assert calls(garden.server, garden.environment)[statuses] > before.get(statuses, 0)
    assert agrees(garden, merchant, ada.account, bought)["reason"] == "active"
    assert merchant.command("merchant", "gaps")["gaps"] == healed


# The commands


def test_the_example_s_customers_are_known_from_the_start():
    with DevProcess(CATALOGUE, None, "--example") as dev:
        customers = dev.command("merchant", "customers")["customers"]
        assert {"anna", "ben", "clara"} <= {one["account"] for one in customers}
        anna = dev.command("merchant", "status", "anna")
        assert anna["subscriptions"][0]["willRenew"] is not None
        told = [one["event"] for one in dev.command("merchant", "why", "anna")["purchases"][0][
            "story"]]
        assert told[0] == "bought" and "renewed" in told


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
        assert {(one["environment"], one["kind"], one["healed"]) for one in healed} == {
            (environment.value, kind, 0)
            for environment in BOTH for kind in ["history", "statuses"]}
        assert dev.command("merchant", "gaps")["gaps"] == healed
        with pytest.raises(Unavailable):
            dev.command("merchant", "replay", 1)
