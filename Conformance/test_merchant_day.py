"""The days of a merchant as a story: a dozen and more customers of every kind, a store whose
notifications are lost, repeated, late and refused, and three days in which the merchant is dead.

Before each move of the clock the story says what every customer must see afterwards. It says so by
the rules (the subscription rules and what Apple says of its notifications), and never
by what the program answers. Then the clock moves, everything settles, and all customers are
compared at once. Apple's own client is the second judge of every subscription."""

import os

import pytest
import requests
from merchant_day import Day
from merchant_process import MerchantProcess
from perennial import BACKENDS, BOTH, Perennial, database

ESTATE = "com.example.garden.estate.monthly"
VEGETABLES = "com.example.garden.vegetables.monthly"
WEEKLY = "com.example.garden.windowbox.weekly"
WINDOW = "com.example.garden.windowbox.monthly"
DOCTOR = "com.example.garden.doctor.monthly"
ALMANAC = "com.example.garden.almanac"
SUMMER = "com.example.garden.season.summer"
SEEDS = "com.example.garden.seeds.100"

CONFIGURATION = f"""apps:
- store: store.json
  entitlements:
    club: [{ESTATE}, {VEGETABLES}, {WEEKLY}, {WINDOW}]
    doctor: [{DOCTOR}]
    almanac: [{ALMANAC}]
    season: [{SUMMER}]
  durations:
    {SUMMER}: P3M
"""

# By which the fault rules choose. Another one makes another story of the same end.
SEED = os.environ.get("PERENNIAL_DAY_SEED", "days-of-a-merchant")


@pytest.fixture(params=BACKENDS)
def day(request):
    backend = request.param
    with database(backend) as store, database(backend) as merchants:
        options = ["--database-url", merchants] if merchants else []
        with Perennial(at="2026-03-01T00:00:00Z", database=store) as server:
            with MerchantProcess(server, *options, configuration=CONFIGURATION) as merchant:
                yield Day(server, merchant)


def test_the_days_of_a_merchant(day):
    # The oldest rule goes first: until it is removed no renewal in Production is told.
    day.lost = day.operator.adds_fault("loseNotifications", notificationType="DID_RENEW")
    for kind, details in {
            "dropNotifications": {"percent": 25}, "loseNotifications": {"percent": 15},
            "repeatNotifications": {"percent": 25, "times": 2},
            "delayNotifications": {"percent": 20, "by": "PT10M"},
            "reorderNotifications": {"percent": 30, "by": "PT10M"}}.items():
        day.faults.add(kind, seed=SEED, **details)
    # All differences of the whole story in one text.
    chapters = [
        sign_ups, changes_of_mind, refunds_and_plans, an_outage, recoveries, the_end]
    differences = [line for chapter in chapters for line in chapter(day)]
    if differences:
        pytest.fail("\n".join(differences), pytrace=False)
    applied = day.faults.applied(day.server, BOTH)
    assert all(applied.values()), f"a rule that never applied proves nothing: {applied}"
    assert day.merchant.dead_letters() == []
    assert day.merchant.operate("GET", "unowned")["purchases"] == []


def sign_ups(day):
    day.comes(
        "anna", "bert", "carl", "dora", "emil", "fay", "gus", "hana", "ida", "jon", "kim", "lea",
        "max", "nora", "otto", "pia", "rosa", "sara", "vera")
    day.operator.makes_family(day.jon, day.kim)
    for account in ["anna", "carl", "dora", "emil", "gus", "hana", "jon", "lea"]:
        day.buys(account, ESTATE)
    for account, product in {
            "bert": VEGETABLES, "fay": WINDOW, "nora": ALMANAC, "otto": SUMMER, "pia": DOCTOR,
            "rosa": WEEKLY, "sara": WEEKLY}.items():
        day.buys(account, product)
    day.first_seeds, _ = day.buys("ida", SEEDS), day.buys("ida", SEEDS)
    [shared] = day.kim.transactions()
    day.merchant.owns("kim", shared["signedTransactionInfo"])
    # The same person with a test build of the app.
    day.buys("pia", ESTATE, day.sandbox)
    day.buys("pia", SEEDS, day.sandbox)
    month = "club: active estate.monthly until 04-01 00:00, renews"
    week = "club: active windowbox.weekly until 03-04 00:00, renews"
    doctor = "doctor: active doctor.monthly until 03-08 00:00, renews"
    differences = day.until(
        "2026-03-01T00:32:00Z", "everybody has signed up",
        anna=month, carl=month, dora=month, emil=month, gus=month, hana=month, jon=month,
        lea=month, max="nothing", vera="nothing",
        # A free trial of a month, of three days, of a week (offers are access like any other).
        bert="club: active vegetables.monthly until 04-01 00:00, renews",
        rosa=week, sara=week,
        fay="club: active windowbox.monthly until 04-01 00:00, renews",
        kim="club: active estate.monthly (shared) until 04-01 00:00, renews",
        nora="almanac: owned almanac", otto="season: active season.summer until 06-01 00:00",
        ida="2 seeds.100",
        # Months are five minutes there. What tests consume, nobody has.
        pia=f"club in Sandbox: active estate.monthly until 03-01 00:35, renews; {doctor}")
    # Twelve renewals, then it is turned off (SBX-1): thirteen times five minutes.
    return differences + day.until(
        "2026-03-01T12:00:00Z", "Sandbox has renewed twelve times",
        pia=f"club in Sandbox: expired estate.monthly until 03-01 01:05; {doctor}")


def changes_of_mind(day):
    day.carl.turns_renewal(False, day.carl.transactions()[0]["transaction"].originalTransactionId)
    # A background post moves nothing, a restore does.
    [bought] = day.lea.transactions()
    refused = day.merchant.send("max", bought["signedTransactionInfo"])
    assert (refused.status_code, refused.json()["error"]) == (409, "ownedByAnother")
    day.merchant.owns("max", bought["signedTransactionInfo"], restore=True)
    # It is an event to both.
    assert day.moved("lea") == ("transferredAway", "max", "restore")
    assert day.moved("max") == ("transferredHere", "lea", "restore")
    # The first paid week of both of the weekly ones is told to nobody.
    differences = day.until(
        "2026-03-04T02:00:00Z", "nobody has told of the week's renewals", heals=False,
        carl="club: active estate.monthly until 04-01 00:00",
        lea="nothing", max="club: active estate.monthly until 04-01 00:00, renews",
        # Access ends by time, without a notification (ING-7).
        rosa="club: expired windowbox.weekly until 03-04 00:00",
        sara="club: expired windowbox.weekly until 03-04 00:00")
    day.operator.removes_fault(day.lost)
    # The store fails the first question.
    day.faults.add("failCalls", errorCode=5000001, operation="getNotificationHistory", count=1)
    week = "club: active windowbox.weekly until 03-11 00:00, renews"
    differences += day.until(
        "2026-03-04T03:00:00Z", "the store was asked for what was lost", rosa=week, sara=week)
    # The trial of the doctor has ended on 8 March, and the anchor is there.
    week = "club: active windowbox.weekly until 03-18 00:00, renews"
    return differences + day.until(
        "2026-03-15T12:00:00Z", "two weeks", rosa=week, sara=week,
        pia="club in Sandbox: expired estate.monthly until 03-01 01:05; "
            "doctor: active doctor.monthly until 04-08 00:00, renews")


def refunds_and_plans(day):
    day.buys("fay", ESTATE)
    day.buys("gus", WINDOW)
    [hana], [jon] = [
        [one["transaction"] for one in customer.transactions()] for customer in (day.hana, day.jon)]
    # Who asks for a refund has renewal turned off before anybody decides (REF-4).
    day.operator.decides_refunds("manual")
    asked = day.hana.asks_for_refund(hana.transactionId)["id"]
    day.passes()
    day.operator.grants(asked)
    day.operator.refunds(day.first_seeds.transactionId)
    day.operator.shares(jon.transactionId, "off")
    day.card("sara", "decline")
    differences = day.until(
        "2026-03-16T12:00:00Z", "an upgrade, a downgrade, refunds, sharing off",
        # An upgrade is at once and moves the anchor, a downgrade waits.
        fay="club: active estate.monthly until 04-15 12:00, renews",
        gus="club: active estate.monthly until 04-01 00:00, then windowbox.monthly",
        # Service stops at the revocation date (REF-8).
        hana="club: refunded estate.monthly until 03-15 12:01",
        ida="1 seeds.100",
        kim="club: sharingEnded estate.monthly (shared) until 03-15 12:01")
    day.operator.reverses_refund(hana.transactionId)
    day.operator.shares(jon.transactionId, "on")
    newest = day.kim.transactions()[-1]
    day.merchant.owns("kim", newest["signedTransactionInfo"])
    day.passes()
    differences += day.until(
        "2026-03-18T02:00:00Z", "both again, and the card of a week",
        # The renewal date is unchanged (REF-9), and renewal as off as it was.
        hana="club: active estate.monthly until 04-01 00:00",
        kim="club: active estate.monthly (shared) until 04-01 00:00, renews",
        rosa="club: active windowbox.weekly until 03-25 00:00, renews",
        # Of sixteen days a weekly subscription has six (GRA-3).
        sara="club: gracePeriod windowbox.weekly until 03-24 00:00, renews")
    day.hana.turns_renewal(True, hana.originalTransactionId)
    return differences + day.until(
        "2026-03-30T00:00:00Z", "grace is over",
        # On again before the end, without a charge (EXP-1).
        hana="club: active estate.monthly until 04-01 00:00, renews",
        rosa="club: active windowbox.weekly until 04-01 00:00, renews",
        sara="club: billingRetry windowbox.weekly until 03-24 00:00")


def an_outage(day):
    """Three days without a merchant. The store goes on, and fails to reach it."""
    day.card("dora", "decline")
    day.card("emil", "decline")
    # Killed while it takes a burst of notifications, some twice.
    anna = day.anna.transactions()[0]["transaction"].originalTransactionId
    for on in [False, True] * 3:
        day.anna.turns_renewal(on, anna)
        day.passes("PT10S")
    day.merchant.kill()
    day.operator.wait_until("2026-03-31T00:00:00Z")
    [almanac] = [one["transaction"] for one in day.nora.transactions()]
    day.operator.refunds(almanac.transactionId)
    bought = day.vera.buys(ESTATE)
    with pytest.raises(requests.ConnectionError):
        day.shows("vera", day.vera, bought)
    month = "until 05-01 00:00, renews"
    grace = "club: gracePeriod estate.monthly until 04-17 00:00, renews"
    day.table.must(
        anna=f"club: active estate.monthly {month}",
        bert=f"club: active vegetables.monthly {month}",
        carl="club: expired estate.monthly until 04-01 00:00",
        # From 1 April: sixteen days (GRA-2).
        dora=grace, emil=grace,
        gus=f"club: active windowbox.monthly {month}",
        hana=f"club: active estate.monthly {month}", jon=f"club: active estate.monthly {month}",
        kim=f"club: active estate.monthly (shared) {month}",
        max=f"club: active estate.monthly {month}",
        nora="almanac: refunded almanac until 03-31 00:00",
        rosa="club: active windowbox.weekly until 04-08 00:00, renews",
        # Known to the merchant, and nobody's: no app has shown it.
        vera="nothing")
    # The store tries again after an hour and so on, and the merchant is back after three days.
    day.operator.wait_until("2026-04-02T00:00:00Z")
    day.merchant.restart(since="2026-04-02T00:00:00Z")
    day.settle(heals=False)
    healed = {
        one["environment"]: one["healed"] for one in day.merchant.operate("GET", "gaps")["gaps"]
        if one["kind"] == "history"}
    assert healed["Production"] > 0, "the outage has cost nothing: it was none"
    differences = day.table.see("an outage of three days (2026-04-02T00:00:00Z)")
    differences += day.disagreements()
    # The app of whoever bought meanwhile tries again.
    day.shows("vera", day.vera, bought)
    return differences + day.until(
        "2026-04-10T12:00:00Z", "the outage has healed",
        vera="club: active estate.monthly until 04-30 00:00, renews",
        pia="club in Sandbox: expired estate.monthly until 03-01 01:05; "
            "doctor: active doctor.monthly until 05-08 00:00, renews",
        rosa="club: active windowbox.weekly until 04-15 00:00, renews")


def recoveries(day):
    day.card("dora", "approve")
    day.buys("carl", ESTATE)
    differences = day.until(
        "2026-04-10T14:00:00Z", "a recovery in grace, and somebody comes back",
        # No day was lost (GRA-6); a new anchor (EXP-6).
        dora="club: active estate.monthly until 05-01 00:00, renews",
        carl="club: active estate.monthly until 05-10 12:00, renews")
    differences += day.until(
        "2026-04-17T02:00:00Z", "the other grace is over, retry goes on",
        fay="club: active estate.monthly until 05-15 12:00, renews",
        rosa="club: active windowbox.weekly until 04-22 00:00, renews",
        emil="club: billingRetry estate.monthly until 04-17 00:00")
    month = "until 06-01 00:00, renews"
    differences += day.until(
        "2026-05-17T02:00:00Z", "sixty days after the week's failure",
        anna=f"club: active estate.monthly {month}",
        bert=f"club: active vegetables.monthly {month}",
        carl="club: active estate.monthly until 06-10 12:00, renews",
        dora=f"club: active estate.monthly {month}",
        fay="club: active estate.monthly until 06-15 12:00, renews",
        gus=f"club: active windowbox.monthly {month}",
        hana=f"club: active estate.monthly {month}", jon=f"club: active estate.monthly {month}",
        kim=f"club: active estate.monthly (shared) {month}",
        max=f"club: active estate.monthly {month}",
        pia="club in Sandbox: expired estate.monthly until 03-01 01:05; "
            "doctor: active doctor.monthly until 06-08 00:00, renews",
        rosa="club: active windowbox.weekly until 05-20 00:00, renews",
        # 18 March and sixty days (REN-1).
        sara="club: expired windowbox.weekly until 03-24 00:00",
        # Bought on 31 March: 30 April, then 31 May (CAL-4).
        vera="club: active estate.monthly until 05-31 00:00, renews")
    differences += day.until(
        "2026-05-30T00:00:00Z", "the fifty-ninth day of retry",
        rosa="club: active windowbox.weekly until 06-03 00:00, renews")
    day.card("emil", "approve")
    return differences + day.until(
        "2026-05-30T02:00:00Z", "a recovery on the fifty-ninth day",
        # A new cycle from the recovery (GRA-6).
        emil="club: active estate.monthly until 06-30 00:00, renews")


def the_end(day):
    # Who asks for a refund has renewal turned off (REF-4); the family loses it too (REF-11).
    newest = day.jon.transactions()[-1]["transaction"]
    day.jon.turns_renewal(False, newest.originalTransactionId)
    day.passes()
    day.operator.refunds(newest.transactionId)
    differences = day.until(
        "2026-05-30T04:00:00Z", "the purchaser's refund",
        jon="club: refunded estate.monthly until 05-30 02:01",
        kim="club: sharingEnded estate.monthly (shared) until 05-30 02:01")
    month = "until 07-01 00:00, renews"
    return differences + day.until(
        "2026-06-01T02:00:00Z", "a season of three months is over by time alone",
        otto="season: expired season.summer until 06-01 00:00",
        anna=f"club: active estate.monthly {month}",
        bert=f"club: active vegetables.monthly {month}",
        dora=f"club: active estate.monthly {month}",
        gus=f"club: active windowbox.monthly {month}",
        hana=f"club: active estate.monthly {month}", max=f"club: active estate.monthly {month}",
        vera="club: active estate.monthly until 06-30 00:00, renews")
