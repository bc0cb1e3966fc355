"""A price increase for subscribers of every kind, day by day, against a table of the rules.

`campaign_table` says what each must get and pay; a store, a merchant, an SMTP server and a push
service play it, once with the merchant telling and asking (AC-2025), once with the store.
`make campaign-table` plays all, five of each kind on both databases, which takes long; without
PERENNIAL_CAMPAIGN_TABLE=whole a few kinds on SQLite stand for them."""

import os
from contextlib import ExitStack
from dataclasses import replace
from datetime import datetime, timedelta

import pytest
from campaign_play import Play
from campaign_store_play import StorePlay
from campaign_table import (
    BEGIN, CONSENT, HOURS, KINDS, NOTHING, QUICK, at_hour, store_managed)
from perennial import BACKENDS, database

IS_WHOLE = os.environ.get("PERENNIAL_CAMPAIGN_TABLE") == "whole"
whole = pytest.mark.skipif(not IS_WHOLE, reason="`make campaign-table` plays it")

MERCHANT, STORE = "merchantManaged", "storeManaged"
MERCHANT_ONLY = {"no-address", "korea-trial-agrees", "korea-trial-silent"}
PLAYED = [kind for kind in KINDS if IS_WHOLE or kind.name in QUICK]
TABLES = {
    MERCHANT: PLAYED,
    # The store has choices of its own, needs no address of the merchant's, and asks for the end of
    # a trial by itself.
    STORE: [store_managed(kind) for kind in PLAYED
            if kind.campaign == "spring" and kind.name not in MERCHANT_ONLY],
}
if IS_WHOLE:
    # Hundreds of subscribers, five of each kind.
    TABLES = {route: [at_hour(kind, hour) for kind in kinds for hour in HOURS]
              for route, kinds in TABLES.items()}


@pytest.fixture(scope="module", params=BACKENDS if IS_WHOLE else BACKENDS[:1])
def backend(request):
    return request.param


@pytest.fixture(scope="module")
def plays(backend):
    with ExitStack() as stack:
        running = {}

        def playing(route):
            if route not in running:
                player = Play if route == MERCHANT else StorePlay
                urls = [stack.enter_context(database(backend)) for _ in range(2)]
                running[route] = player(
                    TABLES[route], days_after=40 if IS_WHOLE else 8, databases=urls)
                stack.callback(running[route].close)
                running[route].live()
            return running[route]

        yield playing


@pytest.fixture
def play(plays, route):
    return plays(route)


def each(test):
    return pytest.mark.parametrize("route, kind", [
        pytest.param(route, kind, id=f"{route}-{kind.name}")
        for route, kinds in TABLES.items() for kind in kinds])(test)


def on(*routes):
    return pytest.mark.parametrize("route", routes)


def since(days):
    """An increase before the campaign was told of as well, by a store that tells."""
    return [day for day in days if day >= BEGIN]


@each
def test_mails_arrive_on_their_days(play, kind):
    assert since(day for day, _ in play.mails[kind.name]) == kind.mails, kind.rules


@each
def test_pushes_arrive_on_their_days(play, kind):
    assert since(day for day, _ in play.pushes[kind.name]) == kind.pushes, kind.rules


@each
def test_the_first_launch_shows_the_sheet(play, kind):
    assert since(play.offers(kind))[:1] == kind.sheet, kind.rules


@each
def test_each_renewal_costs_what_it_must(play, kind):
    assert play.paid(kind) == play.owed(kind), kind.rules


@each
def test_the_store_was_called_within_its_window(play, route, kind):
    """ACP-2, ACP-10, ACC-2, ACC-6, ACC-8: after what had to come before, and a day ahead."""
    calls = [one for one in play.requests(kind)
             if one["operation"] == "changePrice" and one["at"] >= str(BEGIN)]
    assert all(one["outcome"] == "done" for one in calls)
    changes = [(one, change) for one in calls for change in one["changes"]]
    if route == STORE:
        # The store is called whatever comes of it; its record says whom it asks.
        if kind.path == NOTHING:
            return
        paths = [change["path"] for _, change in changes]
        assert (CONSENT if kind.path == CONSENT else "notice") in paths, kind.rules
        if not fails_meanwhile(kind):
            assert {change["from"][:10] for _, change in changes} >= {str(kind.at)}, kind.rules
        return
    if kind.pays not in {"new", "split"}:
        assert (kind.name.startswith("monthly-agrees-and-cancels") or "cancel" in dict(kind.does)
                or not calls)
        return
    if kind.billed is not None:
        return
    assert {change["sku"] for _, change in changes} == {kind.name} | {
        sku for sku, _, _ in kind.more if kind.pays == "new"}
    for call, change in changes:
        at = datetime.fromisoformat(call["at"])
        assert change["from"][:10] == str(kind.at), kind.rules
        assert datetime.fromisoformat(change["from"]) - at >= timedelta(days=1), kind.rules
        assert at.date() >= (kind.mails[0] if kind.answered < 0 or kind.path != CONSENT
                             else kind.at - timedelta(days=max(0, kind.answered)) if not kind.more
                             else kind.mails[0]), kind.rules
    if kind.path != CONSENT and kind.more:
        # ACC-4: one request for all items that need no consent.
        assert len(calls) == 1


def fails_meanwhile(kind):
    """Whether the store could not know the renewal when it was called."""
    return any(what == "fails" and day >= str(BEGIN) for what, day, *_ in kind.life)


@whole
@on(MERCHANT, STORE)
def test_a_closed_request_comes_back_after_a_week(play):
    """ACC-1: each method once a week at most, also where the app is opened every day."""
    days = play.offered["monthly-closes"]
    [kind] = [kind for kind in KINDS if kind.name == "monthly-closes"]
    week = [kind.mails[0] + timedelta(days=one) for one in range(1, 7)]
    assert [day for day in week if days[day]] == []


@whole
@on(MERCHANT)
def test_the_notice_of_a_bundle_names_what_will_be_paid(play):
    """ACC-5, ACC-7: who does not agree pays 13.98, and 20.98 is not announced as certain."""
    notices = [sheet for sheets in play.offered["bundle-silent"].values() for sheet in sheets
               if sheet["occasion"] == "notice"]
    assert notices
    assert {(sheet["oldPrice"], sheet["newPrice"]) for sheet in notices} <= {
        (9_990, 10_990), (12_980, 13_980)}


@on(MERCHANT, STORE)
def test_nothing_else_was_trouble(play):
    assert play.troubles == []


@whole
@on(MERCHANT)
def test_a_trials_end_names_the_price_of_the_first_payment(play):
    """KOR-1, KOR-9, INC-6: nothing now, the price of the day of purchase then."""
    sheets = [sheet for sheets in play.offered["korea-trial-silent"].values() for sheet in sheets
              if sheet["occasion"] == "koreanConversion"]
    assert {(sheet["newPrice"], sheet["renewal"][:10]) for sheet in sheets} == {
        (10_000_000, "2027-03-20")}


@whole
@on(MERCHANT)
def test_words_say_what_they_must(play):
    """ACC-7: it is an increase; both prices, the day, and where to review or cancel."""
    [(_, text)] = play.mails["monthly-told"]
    for word in ["Subject: Your subscription price increases", "9.99 USD", "10.99 USD",
                 "2027-04-10", "https://"]:
        assert word in text


@whole
@on(MERCHANT)
def test_india_is_refused(play):
    """ACP-5."""
    files = play.files("spring")
    files["file"] = files["file"].replace("      USA:", "      IND: '120'\n      USA:", 1).replace(
        "    USA:", "    IND: '120'\n    USA:", 1)
    assert "IND" in files["file"]
    reply = play.merchant.call(
        "POST", "/v1/operator/campaigns/plan", play.merchant.ready["operatorToken"], files)
    assert reply.status_code == 400
    assert "to.IND` takes no increase by Advanced Commerce" in reply.json()["message"]


REHEARSED = [
    "monthly-told", "monthly-agrees", "monthly-silent", "weekly-told", "two-months-told",
    "two-months-agrees", "three-months-agrees", "six-months-silent", "yearly-told",
    "yearly-agrees", "germany-silent", "britain-told", "japan-silent", "korea-agrees", "pays-more",
    "trial", "bundle-told", "again-silent"]


@whole
@pytest.mark.parametrize("names, answer", [
    *[pytest.param(REHEARSED, answer, id=answer)
      for answer in ["agree", "silent", "decline", "cancel"]],
    pytest.param(["bundle-silent"], "silent", id="bundle-silent"),
    pytest.param(["weekly-agrees"], "agree", id="weekly-agree"),
])
def test_a_rehearsal_comes_out_as_the_campaign_does(names, answer):
    """The same answers of everybody, made up and real."""
    kinds = [replace(kind, does=deeds(kind, answer), life=tuple(
        one for one in kind.life if one[0] == "raised"))
        for kind in KINDS if kind.name in names]
    shares = {word: 100 if word == answer else 0 for word in ["agree", "decline", "cancel"]}
    play = Play(kinds)
    try:
        play.live(rehearse=shares)
        for member in ["audience", "outcomes", "cohorts", "money"]:
            assert same(play.report()[member]) == same(play.rehearsed[member]), member
    finally:
        play.close()


def deeds(kind, answer):
    if kind.path == NOTHING or answer == "silent":
        return ()
    if answer == "cancel" or kind.path == CONSENT:
        return ((answer, 3 if kind.period == "P1W" and kind.path == CONSENT else 20),)
    return ()


def same(value):
    return sorted(value, key=repr) if isinstance(value, list) else value
