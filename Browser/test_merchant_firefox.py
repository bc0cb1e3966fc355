"""The merchant's pages in a second browser: light and in English, dark and in Arabic."""

import firefox
import pytest
from browser import NARROW, WIDE, path
from developer import WATCH
from merchant_people import HOSTILE
from test_firefox import wrong
from test_hostile_text import FOREIGN

pytestmark = pytest.mark.skipif(
    firefox.FIREFOX is None, reason="firefox-esr is not installed: `scripts/deps pages` does it")

LANGUAGES = {"light": ("en-US", "ltr"), "dark": ("ar", "rtl")}
SHOP = ["/shop/sign-in", "/shop", "/shop/content", "/shop/help"]


def signs_in(window, pair, account):
    window.goto(pair.shop_url + "/shop/sign-in")
    window.evaluate(f"document.querySelector('#sign-in-account').value = {account!r}")
    window.evaluate("document.querySelector('main form button').click()")
    window.wait_for("location.pathname === '/shop/content' && document.readyState === 'complete'")


@pytest.fixture(scope="module", params=LANGUAGES)
def window(request, pair):
    window = firefox.Firefox(request.param, LANGUAGES[request.param][0])
    window.resize(NARROW)
    window.direction = LANGUAGES[request.param][1]
    signs_in(window, pair, "nina")
    yield window
    window.close()


@pytest.mark.parametrize("address", SHOP)
def test_the_shop_is_as_it_should_be(window, pair, address):
    window.goto(pair.shop_url + address)
    assert wrong(window) == []
    assert window.evaluate("document.documentElement.dir") == window.direction


def test_a_watch_shows_it(window, pair):
    window.resize(WATCH)
    window.goto(pair.shop_url + "/shop/compact")
    complaints = wrong(window)
    window.resize(NARROW)
    assert complaints == []


def test_the_sheet_about_a_price_is_as_it_should_be_and_stays_text(window, pair):
    signs_in(window, pair, "tina")
    window.goto(pair.shop_url + "/shop/price")
    assert window.evaluate("document.querySelectorAll('main form').length") == 3
    complaints = wrong(window)
    foreign = window.evaluate(f"document.querySelectorAll({FOREIGN!r}).length")
    signs_in(window, pair, "nina")
    assert (complaints, foreign, window.dialogs) == ([], 0, [])


@pytest.fixture(scope="module")
def operator(window, pair):
    """The same window, in which somebody signed in to the merchant's console."""
    window.goto(pair.console_link())
    window.evaluate("document.querySelector('main button').click()")
    window.wait_for("location.pathname === '/console' && document.readyState === 'complete'")
    return window


@pytest.mark.parametrize("where", [
    (), ("customers",), ("campaigns",), ("campaigns", "new"), ("figures",), ("unowned",),
    ("dead-letters",),
    *(("customers", "APP", name) for name in ["anna", *HOSTILE[:3]])],
    ids=lambda where: ascii("-".join(where))[:40])
def test_the_console_is_as_it_should_be(operator, pair, where):
    operator.goto(pair.shop_url + path(*(pair.app if one == "APP" else one for one in where)))
    assert wrong(operator) == []
    assert operator.evaluate("document.querySelectorAll('h1').length") == 1
    assert operator.evaluate(f"document.querySelectorAll({FOREIGN!r}).length") == 0
    assert operator.dialogs == []


@pytest.mark.parametrize("pixels", [NARROW, WIDE], ids=["narrow", "wide"])
def test_a_mail_of_a_campaign_is_shown_and_shut_off(operator, pair, pixels):
    operator.resize(pixels)
    operator.goto(pair.shop_url + path("campaigns", pair.app, "spring", "texts"))
    complaints = wrong(operator)
    operator.resize(NARROW)
    assert complaints == []
    assert operator.evaluate("document.querySelectorAll('iframe[sandbox]').length") == 2
    assert operator.dialogs == []
