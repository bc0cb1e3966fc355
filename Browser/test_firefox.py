"""The pages that matter most in a second browser: light and dark, as narrow as a telephone."""

import firefox
import pytest
from browser import NARROW, path
from inspection import AXE, ALL_RULES, OVERFLOW, RUN_AXE
from test_hostile_text import FOREIGN
from world import HOSTILE_NAMES

pytestmark = pytest.mark.skipif(
    firefox.FIREFOX is None, reason="firefox-esr is not installed: `scripts/deps pages` does it")


@pytest.fixture(scope="module", params=["light", "dark"])
def signed_in(request, production):
    """A window in which somebody pushed the button of the link; with the sign-in's complaints."""
    window = firefox.Firefox(request.param)
    window.resize(NARROW)
    window.goto(production.sign_in_link())
    complaints = wrong(window)
    window.evaluate("document.querySelector('main button').click()")
    window.wait_for("location.pathname === '/console' && document.readyState === 'complete'")
    yield window, request.param, complaints
    window.close()


def wrong(window):
    window.evaluate(f"(() => {{ {AXE}; return true }})()")
    return window.evaluate(f"({RUN_AXE})({ALL_RULES})") + window.evaluate(f"({OVERFLOW})()")


def test_the_sign_in_is_as_it_should_be(signed_in):
    window, scheme, complaints = signed_in
    assert complaints == []
    assert window.evaluate("innerWidth") == NARROW[0]
    assert window.evaluate(f"matchMedia('(prefers-color-scheme: {scheme})').matches")


@pytest.mark.parametrize("where", [
    path(), path("customers"), path("clock"), path("customers", "anna"), path("mailbox"),
    path("families"), path("requests"), path("codes"),
    *(path("customers", name) for name in HOSTILE_NAMES[:4])],
    ids=lambda where: where[:40])
def test_pages_are_as_they_should_be(signed_in, production, where):
    window = signed_in[0]
    window.goto(production.url + where)
    assert wrong(window) == []
    assert window.evaluate("document.querySelectorAll('h1').length") == 1
    assert window.evaluate(f"document.querySelectorAll({FOREIGN!r}).length") == 0
    assert window.dialogs == []


def test_the_life_of_somebody_with_a_hostile_name_is_drawn(signed_in, production):
    window = signed_in[0]
    subscription = production.subscription(HOSTILE_NAMES[0])["originalTransactionId"]
    window.goto(production.url + path("subscriptions", subscription))
    assert wrong(window) == []
    assert window.evaluate("document.querySelectorAll('figure svg').length") > 0
    assert HOSTILE_NAMES[0] in window.evaluate("document.body.textContent")
    assert window.dialogs == []
