"""Customers' pages in a second browser, as narrow as a telephone and wide."""

import firefox
import pytest
from account_people import ALMANAC, CODE, SEEDS, Device, subscription
from browser import NARROW, WIDE
from customer import path
from inspection import OVERFLOW, SQUEEZED
from test_account_harm import FOREIGN
from test_account_stories import new_name
from test_firefox import wrong
from world import HOSTILE_NAMES, VEGETABLES

pytestmark = pytest.mark.skipif(
    firefox.FIREFOX is None, reason="firefox-esr is not installed: `scripts/deps pages` does it")

# Each language in the colours in which its pages are looked at: all of them, or those about money.
WAYS = [("light", "en-US", 99), ("dark", "de-DE", 6), ("light", "ja-JP", 6), ("dark", "ar-SA", 99)]


def signs_in(window, shop, account):
    window.goto(shop.url + path("sign-in"))
    if window.evaluate("document.querySelector('header .sign-out') !== null"):
        raise AssertionError("somebody is signed in at the sign-in")
    window.evaluate("""(() => {
        document.querySelector('[name=account]').value = %r;
        document.querySelector('main button').click();
    })()""" % account)
    window.wait_for("location.pathname === '/account' && document.readyState === 'complete'")


def addresses(shop):
    life = subscription(shop, "omar")
    almanac = next(one["transactionId"] for one in Device(shop, "omar").ask(
        "GET", "purchases")["purchases"] if one["productId"] == ALMANAC)
    return [
        path("subscriptions", life), path("subscriptions", life, "cancel"),
        path("subscriptions", life, "price"), path("purchases", almanac, "refund"),
        path("redeem", "offer", code=CODE, via="url"), path("buy", VEGETABLES),
        path("subscriptions", life, "plans"), path(), path("purchases"), path("family"),
        path("mailbox"), path("sharing"), path("redeem"), path("buy", SEEDS), path("help"),
        path("terms")]


@pytest.mark.parametrize("scheme, language, most", WAYS)
def test_pages_are_as_they_should_be(shop, scheme, language, most):
    window = firefox.Firefox(scheme, language)
    found = []
    try:
        window.resize(NARROW)
        window.goto(shop.url + path("sign-in"))
        found += wrong(window)
        signs_in(window, shop, "omar")
        for address in addresses(shop)[:most]:
            window.goto(shop.url + address)
            found += [f"{address}: {what}" for what in
                      wrong(window) + window.evaluate(f"({SQUEEZED})()")]
            window.resize(WIDE)
            found += [f"{address}, wide: {what}" for what in
                      window.evaluate(f"({OVERFLOW})()") + window.evaluate(f"({SQUEEZED})()")]
            window.resize(NARROW)
            assert window.evaluate("document.documentElement.lang") == language[:2]
            assert window.evaluate(f"document.querySelectorAll({FOREIGN!r}).length") == 0
        assert window.evaluate("document.documentElement.dir") == (
            "rtl" if language == "ar-SA" else "ltr")
        assert window.dialogs == []
    finally:
        window.close()
    assert found == []


def test_somebody_with_a_hostile_name_buys(shop):
    window = firefox.Firefox("light", "en-US")
    account = HOSTILE_NAMES[0] + new_name()
    try:
        signs_in(window, shop, account)
        window.goto(shop.url + path("buy", SEEDS))
        window.evaluate("document.querySelector('main form button').click()")
        window.wait_for("location.pathname.startsWith('/account/purchases/')")
        assert account in window.evaluate("document.body.textContent")
        assert window.evaluate(f"document.querySelectorAll({FOREIGN!r}).length") == 0
        assert window.dialogs == []
    finally:
        window.close()
    assert len(Device(shop, account).ask("GET", "purchases")["purchases"]) == 1
