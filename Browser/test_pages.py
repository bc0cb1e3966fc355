"""Every page of the console, in both environments, looked at once and in every way."""

import pytest
from browser import IS_WHOLE, NARROW, path
from crawl import Crawl
from inspection import EVERY_WIDTH, Inspector
from page_rules import (
    check_answers, check_without_script, test_all_are_accessible_in_light_and_dark_wide_and_narrow,
    test_all_are_well_formed, test_browsers_complain_of_none,
    test_buttons_and_fields_are_seen_in_forced_colours, test_none_asks_anybody_else,
    test_none_is_heavy, test_none_scrolls_sideways_even_if_narrow_or_enlarged)
from store import BOTH, Environment, Store
from world import ADDRESS, ESTATE, HOSTILE_NAMES, HOSTILE_QUESTIONS

# What people get who ask for what is not there.
REFUSED = {
    path("customers", "nobody"): 404, path("subscriptions", "1"): 404, path("nowhere"): 404,
    path("mailbox", account="nobody"): 404, path("families", account="nobody"): 404,
    path("forgeries", "nothing"): 404,
    path("forgeries", "transaction-genuine", app="com.example.app", transaction="7"): 404,
    path("forgeries", "transaction-genuine", app="com.example.app", transaction="<b>"): 400,
    path("clock", "progress"): 404, path("clock", "ahead", until="yesterday"): 400,
}
# Very long, to be read from the right, of tall characters; test_hostile_text.py has them all.
HOSTILE_TO_THE_EYE = [HOSTILE_NAMES[at] for at in [9, 7, 0, 10, 11]]
EMPTY = "a store by the machine's time where nobody has bought anything"


def addresses(environment):
    """Where to begin: what no link leads to, and more than one of what differs by what it shows."""
    accounts = environment.accounts()
    subscriptions = {
        account: one["originalTransactionId"] for account in accounts
        for one in environment.customer(account)["subscriptions"]}
    yield path()
    yield path("sign-in", code="0")
    harmless = [account for account in accounts if account not in HOSTILE_NAMES]
    yield from (path("customers", one) for one in accounts if one in HOSTILE_TO_THE_EYE)
    for account in [*harmless, *HOSTILE_TO_THE_EYE[:2]]:
        if account in subscriptions:
            yield path("subscriptions", subscriptions[account])
    yield path("subscriptions", subscriptions["anna"]) + "?all=1"
    yield path("customers", q="a")
    yield from (path("customers", q=question) for question in HOSTILE_QUESTIONS)
    if environment.name == "sandbox":
        return
    yield from previews(subscriptions)
    yield path("subscriptions", subscriptions["ben"], "price-increase")
    yield path("subscriptions", subscriptions["tina"], "requests")
    yield path("subscriptions", subscriptions["tina"], "requests") + "?after=1"
    app = environment.app()
    yield path("catalogue", app, ESTATE)
    yield from (
        path("catalogue", app, ESTATE, "new-offer", type=kind)
        for kind in ["INTRODUCTORY", "PROMOTIONAL", "OFFER_CODE", "WIN_BACK"])
    yield path("families", "new", organiser="ben", members="clara", preview=1)
    yield path("families", "new", organiser="anna", members="", preview=1)
    yield from (path("requests", state=state) for state in ["waiting", "declined"])
    yield path("mailbox", account=ADDRESS, kind="receipt", state="kept")
    yield path("forgeries", about="in-app-request")
    yield from (
        path("forgeries", kind) for kind in [
            "transaction-replayed", "renewal-info-of-another-sort",
            "app-transaction-certificates-other-chain-with-our-root"])
    # Those that are the same each time that they are made.
    yield path("forgeries", "app-transaction-text-empty", app=app)
    yield path("forgeries", "notification-oversized", app=app)
    yield path("extensions", "new", product=ESTATE, days=7, reason="other")
    now = environment.now()
    yield path("clock", "progress", **{"from": now, "to": now, "since": 0})
    yield path("clock", "progress", **{"from": now, "to": "2099-01-01T00:00:00Z", "since": 0})
    yield from REFUSED


def previews(subscriptions):
    gina = subscriptions["gina"]
    yield path("subscriptions", subscriptions["ben"], "plan", preview=1, product=ESTATE)
    yield path("subscriptions", subscriptions[HOSTILE_NAMES[0]], "plan", preview=1, product=ESTATE)
    yield from (
        path("subscriptions", gina, "plan", preview=1, product=question)
        for question in HOSTILE_QUESTIONS)
    yield path("subscriptions", gina, "extend", preview=1, days=30, reason="other")
    yield path("subscriptions", gina, "extend", preview=1, days=91, reason="other")
    yield path("subscriptions", gina, "refund", preview=1)
    yield path("subscriptions", gina, "refund", preview=1, prorated="true")
    yield path("subscriptions", gina, "cancel", preview=1)
    yield path("subscriptions", subscriptions["clara"], "renewal-off")
    yield path("subscriptions", subscriptions["emil"], "refund", preview=1)


def expected_status(address):
    if address == path("families", "new", organiser="anna", members="", preview=1):
        return 409
    return REFUSED.get(address, 200)


@pytest.fixture(scope="module")
def empty_store():
    with Store(clock=("--clock", "system")) as store:
        yield store


@pytest.fixture(scope="module", params=[*BOTH, EMPTY])
def place(request):
    """An environment and where to begin in it."""
    if request.param == EMPTY:
        return Environment(request.getfixturevalue("empty_store"), "production"), [path()]
    environment = Environment(request.getfixturevalue("store"), request.param)
    return environment, list(addresses(environment))


@pytest.fixture(scope="module")
def context(consoles, place):
    context = consoles.operator(place[0])
    yield context
    context.close()


@pytest.fixture(scope="module")
def pages(context, place):
    """All pages, looked at."""
    environment, beginnings = place
    inspector, crawl, pages = Inspector(context, environment.url), Crawl(beginnings), []
    for address in crawl:
        # The other places have the same pages with nothing on them, or with other colours above.
        is_new = crawl.is_first_of_its_kind(address) and len(beginnings) > 1
        if IS_WHOLE or not pages or environment.name == "production" and is_new:
            rules_at = EVERY_WIDTH
        else:
            rules_at = (NARROW,) if environment.name == "production" else ()
        page = inspector.look(address, rules_at)
        crawl.meet(page.links)
        pages.append(page)
    return pages


def test_all_answer(pages, place):
    check_answers(pages, lambda page: expected_status(page.address))
    assert len(pages) > len(place[1])


def test_schemes_differ_by_colours_alone(pages, context, place):
    """Else boxes were to be measured, and every rule to be held, in both."""
    styles = context.pages[0].evaluate(
        "Promise.all([...document.querySelectorAll('link[rel=stylesheet]')]"
        ".map(async link => (await fetch(link.href)).text()))")
    assert styles and "light-dark(" in "".join(styles)
    assert "prefers-color-scheme" not in "".join(styles)


def test_all_say_the_same_without_script(pages, consoles, place):
    environment = place[0]
    check_without_script(
        pages, consoles.operator(environment, script=False), environment.url)
