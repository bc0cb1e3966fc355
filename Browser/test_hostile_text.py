"""What customers call themselves, and what links ask for, stays text."""

import re

import pytest
from browser import path
from playwright.sync_api import expect
from world import ESTATE, HOSTILE_NAMES, HOSTILE_QUESTIONS, VEGETABLES

# None of our templates has these in the body.
FOREIGN = "body script, body img, body iframe, body b, [onerror], [onfocus], [onload], [autofocus]"


@pytest.fixture
def watched(tab):
    """A tab that remembers what should not have happened."""
    tab.happened = []

    def note(dialog):
        tab.happened.append(dialog.message)
        dialog.dismiss()

    tab.on("dialog", note)
    tab.on("console", lambda one: one.type == "error" and tab.happened.append(one.text))
    return tab


def assert_harmless(tab, text=None):
    assert tab.locator(FOREIGN).count() == 0
    assert tab.evaluate(
        "[...document.querySelectorAll('a[href]:not(.environment)')].every(a => a.href.startsWith(location.origin))")
    assert tab.happened == []
    if text is not None:
        assert text in tab.evaluate("document.body.textContent")


@pytest.mark.parametrize("where", [path(), path("customers"), path("clock")])
def test_names_stay_names_in_lists(watched, production, where):
    watched.goto(production.url + where)
    assert_harmless(watched)


@pytest.mark.parametrize("name", HOSTILE_NAMES, ids=lambda name: ascii(name)[:30])
def test_a_name_stays_a_name_wherever_its_links_lead(watched, production, name):
    tab = watched
    tab.goto(production.url + path("customers", q=name))
    assert_harmless(tab, name)
    tab.locator("main").get_by_role("link", name=name, exact=True).first.click()
    assert tab.locator("h1").evaluate("node => node.textContent") == name
    assert tab.title() == f"{' '.join(name.split())} · Perennial"
    assert_harmless(tab, name)
    tab.locator("main").get_by_role("link", name=VEGETABLES).first.click()
    expect(tab.locator("h1")).to_contain_text(VEGETABLES)
    assert_harmless(tab, name)


@pytest.mark.parametrize("question", HOSTILE_QUESTIONS, ids=lambda question: ascii(question)[:30])
def test_a_question_stays_a_question(watched, production, question):
    tab = watched
    subscription = production.subscription("gina")["originalTransactionId"]
    tab.goto(production.url + path("customers", q=question))
    assert_harmless(tab, question)
    expect(tab.get_by_label("Find a customer or a purchase")).to_have_value(question)
    tab.goto(
        production.url + path("subscriptions", subscription, "plan", preview=1, product=question))
    assert_harmless(tab)
    tab.goto(production.url + path("sign-in", code=question, to=question))
    assert_harmless(tab)
    # A browser reports the status of a refusal on its console.
    tab.goto(production.url + path("extensions", "new", product=ESTATE, days=5, reason=question))
    assert len(tab.happened) == 1
    tab.happened.clear()
    assert_harmless(tab)
    # A refusal leads back with what was typed.
    tab.goto(production.url + path("extensions", "new", product=question, days=question))
    assert len(tab.happened) == 1
    tab.happened.clear()
    tab.locator("main").get_by_role("link", name="Back").click()
    expect(tab.get_by_label("Days")).to_have_value(question)
    assert_harmless(tab)


@pytest.mark.parametrize("target", [
    "https://example.com/", "//example.com", "/console\\@example.com", "javascript:alert(1)",
    "/\u0009/example.com", "/other"])
def test_a_link_to_the_sign_in_leads_nowhere_else(consoles, production, target):
    context = consoles.stranger()
    tab = context.new_page()
    tab.goto(production.url + path("sign-in", to=target))
    tab.get_by_label("Operator's token").fill(production.store.ready["operatorToken"])
    tab.get_by_role("button", name="Sign in").click()
    tab.wait_for_url(re.compile(re.escape(production.url) + "/console$"))
    context.close()
