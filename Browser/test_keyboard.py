"""Everything without a mouse."""

import re

import pytest
from browser import path
from playwright.sync_api import expect

FOCUSED = """() => {
    const node = document.activeElement;
    const style = getComputedStyle(node);
    const box = node.getBoundingClientRect();
    return {
        tag: node.tagName, name: (node.textContent || node.getAttribute("aria-label") || "").trim(),
        outline: style.outlineStyle !== "none" && parseFloat(style.outlineWidth) >= 2,
        seen: box.width > 0 && box.height > 0 && box.bottom > 0 && box.top < innerHeight,
    };
}"""


def stops(tab, most=200):
    """What the tab key comes to, in order, until it leaves the page."""
    found = []
    for _ in range(most):
        tab.keyboard.press("Tab")
        stop = tab.evaluate(FOCUSED)
        if stop["tag"] == "BODY":
            return found
        found.append(stop)
    raise AssertionError("the tab key never leaves the page")


def test_the_first_stop_leads_past_the_navigation(tab, production):
    tab.goto(production.url + path("customers"))
    tab.keyboard.press("Tab")
    skip = tab.evaluate(FOCUSED)
    assert skip["tag"] == "A" and skip["seen"] and skip["outline"]
    tab.keyboard.press("Enter")
    assert tab.evaluate("document.activeElement.id") == "main"
    tab.keyboard.press("Tab")
    assert tab.evaluate("document.activeElement.closest('main') !== null")


def test_without_focus_the_way_past_the_navigation_is_not_in_the_way(tab, production):
    tab.goto(production.url + path())
    box = tab.locator("a.skip").bounding_box()
    assert box["y"] + box["height"] <= 0


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("where", [
    path(), path("customers", "anna"), path("clock"), path("clock", "ahead", until="P1M")])
def test_one_sees_where_one_is(tab, production, where, scheme):
    tab.emulate_media(color_scheme=scheme)
    tab.goto(production.url + where)
    found = stops(tab)
    hidden = [stop for stop in found if not (stop["outline"] and stop["seen"])]
    assert not hidden
    # Links, buttons and fields of the page are all among them.
    reachable = tab.locator(":is(a[href], button, input, select, summary):visible").count()
    assert len(found) >= reachable


def test_one_goes_through_the_page_from_top_to_bottom(tab, production):
    tab.goto(production.url + path("clock"))
    names = [stop["name"] for stop in stops(tab)]
    order = ["Sign out", "Customers", "Clock", "One day", "See what falls due", "One step", "Run"]
    places = [names.index(name) for name in order]
    assert places == sorted(places)


def test_enter_searches(tab, production):
    tab.goto(production.url + path("customers"))
    tab.get_by_label("Find a customer or a purchase").focus()
    tab.keyboard.type("gin")
    tab.keyboard.press("Enter")
    tab.wait_for_url(re.compile(r"\?q=gin$"))
    expect(tab.get_by_role("link", name="gina")).to_be_visible()


def test_enter_in_a_form_that_does_something_only_previews_it(tab, production):
    subscription = production.subscription("gina")
    number = subscription["originalTransactionId"]
    tab.goto(production.url + path("subscriptions", number, "extend"))
    tab.get_by_label("Days").focus()
    tab.keyboard.type("3")
    tab.keyboard.press("Enter")
    expect(tab.get_by_role("heading", name="What it will do")).to_be_visible()
    assert production.subscription("gina") == subscription


def test_a_problem_is_what_one_reads_first(consoles, production):
    context = consoles.stranger()
    tab = context.new_page()
    tab.goto(production.url + path("sign-in"))
    tab.get_by_label("Operator's token").fill("wrong")
    tab.keyboard.press("Enter")
    expect(tab.locator("#problem")).to_be_focused()
    context.close()
