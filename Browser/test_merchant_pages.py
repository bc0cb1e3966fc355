"""Every page of the merchant's console and of the demonstration, looked at once."""

import pytest
from browser import path
from crawl import SEVERAL_AT_MERCHANT, Crawl, kind
from inspection import Inspector
from merchant_people import HOSTILE
from page_rules import (
    check_answers, check_without_script, test_all_are_accessible_in_light_and_dark_wide_and_narrow,
    test_all_are_well_formed, test_browsers_complain_of_none,
    test_buttons_and_fields_are_seen_in_forced_colours, test_none_asks_anybody_else,
    test_none_is_heavy, test_none_scrolls_sideways_even_if_narrow_or_enlarged)
from world import HOSTILE_QUESTIONS

REFUSED = {
    path("nowhere"): 404, path("customers", "com.example.none", "anna"): 404,
    path("dead-letters", "999"): 404, path("plans", "999"): 404, path("figures", days="0"): 400,
    path("notifications", state="lost"): 400}


def beginnings(pair):
    app = pair.app
    yield path()
    yield "/"
    yield path("sign-in", code="0")
    yield from (path("customers", app, account) for account in [
        "anna", "emil", HOSTILE[0], HOSTILE[-1]])
    yield path("customers", app, HOSTILE[1], "events")
    yield path("customers", search="a", state="active")
    yield path("customers", search=HOSTILE_QUESTIONS[0])
    yield path("campaigns", app, "spring", "move", "resume")
    # Of each kind the crawl comes to the first that it meets; these have most to show.
    yield path("campaigns", app, "spring")
    yield path("campaigns", app, "outage")
    yield path("campaigns", app, "spring", "texts")
    letters = pair.merchant_call("GET", "/v1/operator/dead-letters")["deadLetters"]
    yield path("dead-letters", str(letters[0]["id"]))
    drafts = "/v1/operator/campaigns/plans?campaign=autumn"
    [draft] = pair.merchant_call("GET", drafts)["plans"]
    yield path("plans", str(draft["id"]))
    yield path("plans", str(draft["id"]), "rehearsal", seed="1")
    yield path("campaigns", "new", plan=draft["id"])
    yield path("unowned", app, "1")
    yield path("figures", environment="Sandbox")
    yield from REFUSED


@pytest.fixture(scope="module")
def pages(people, pair):
    context = people.operator()
    inspector = Inspector(context, pair.shop_url)
    crawl, pages = Crawl(beginnings(pair), SEVERAL_AT_MERCHANT), []
    for address in crawl:
        page = inspector.look(address)
        # What the demonstration shows within itself is asked of the store too.
        if address == "/":
            stores = pair.url("production") + "/"
            page.strangers = [one for one in page.strangers if not one.startswith(stores)]
        crawl.meet(page.links)
        pages.append(page)
    yield pages
    context.close()


def test_all_answer(pages):
    check_answers(pages, lambda page: REFUSED.get(page.address, 200))


def test_the_crawl_comes_to_every_kind_of_page(pages, pair):
    found = {kind(page.address, SEVERAL_AT_MERCHANT)[0] for page in pages if page.status == 200}
    for one in [
            "", "/customers", "/customers/{}/{}", "/customers/{}/{}/events", "/unowned",
            "/unowned/{}/{}", "/notifications", "/dead-letters", "/dead-letters/{}", "/gaps",
            "/campaigns", "/campaigns/{}", "/campaigns/{}/{}", "/campaigns/{}/{}/texts",
            "/campaigns/{}/{}/subscribers", "/campaigns/{}/{}/messages",
            "/campaigns/{}/{}/move/stop", "/outages", "/outages/{}/{}",
            "/outages/{}/{}/subscribers", "/plans/{}", "/plans/{}/subscribers",
            "/plans/{}/rehearsal", "/plans/{}/begin", "/figures", "/figures/{}/transactions"]:
        assert "/console" + one in found, sorted(found)


def test_all_say_the_same_without_script(pages, people, pair):
    check_without_script(pages, people.operator(script=False), pair.shop_url)
