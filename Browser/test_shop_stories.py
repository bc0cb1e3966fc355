"""What a customer does in the shop, by clicks; and what a look alone does not."""

import pytest
from playwright.sync_api import expect
from story import NUMBERS
from world import ESTATE


@pytest.fixture
def shops(people, pair):
    """Opens the shop as somebody."""
    contexts = []

    def open(account, address, **options):
        contexts.append(people.customer(account, **options))
        tab = contexts[-1].new_page()
        tab.goto(pair.shop_url + address)
        return tab

    yield open
    for context in contexts:
        context.close()


def sheets(pair, account):
    return pair.app_call("GET", f"{account}/sheets")["sheets"]


def test_looking_at_a_price_is_neither_seen_nor_an_answer(shops, pair):
    """PI-12: nor does a look at the way to it."""
    before = sheets(pair, "udo")
    assert before
    for address in ["/shop/price", "/shop/content", "/shop/price"]:
        shops("udo", address)
    assert sheets(pair, "udo") == before


def test_a_price_is_declined(shops, pair):
    tab = shops("theo", "/shop/content", script=False)
    tab.locator(".banner").get_by_role("link").click()
    tab.get_by_role("button", name="Do Not Agree", exact=True).click()
    expect(tab.locator("main")).to_contain_text("You declined the new price.")
    assert sheets(pair, "theo") == []
    [life] = pair.app_call("GET", "theo")["subscriptions"]
    assert life["willRenew"]


def test_a_price_is_closed_and_agreed_to_later(shops, pair):
    """PI-7: closing leaves it pending; it does not come back by itself for a week (ACC-1)."""
    tab = shops("thea", "/shop/price")
    tab.get_by_role("button", name="Close and answer later").click()
    expect(tab.get_by_role("heading", level=1)).to_have_text("Content")
    assert tab.locator(".banner").count() == 0 and sheets(pair, "thea") == []
    # Whoever follows the link of a mail still finds it.
    tab.goto(pair.shop_url + "/shop/price")
    tab.get_by_role("button", name="Agree to New Price", exact=True).click()
    expect(tab.locator("main")).to_contain_text("You agreed to the new price.")
    tab.goto(pair.shop_url + "/shop/price")
    expect(tab.locator("main")).to_contain_text("There is no news about your prices.")


def test_a_notice_is_closed_by_its_button(shops, pair):
    tab = shops("udo", "/shop/price")
    tab.get_by_role("button", name="OK", exact=True).click()
    expect(tab.locator("main")).to_contain_text("The new price is noted.")
    assert sheets(pair, "udo") == []
    tab.goto(pair.shop_url + "/shop/price")
    expect(tab.locator("main")).to_contain_text("There is no news about your prices.")


def test_what_the_merchant_never_heard_of_is_restored(shops, pair):
    account = f"restorer-{next(NUMBERS)}"
    pair.buy_behind_the_merchant(ESTATE, account)
    tab = shops(account, "/shop/content")
    assert "Unlocked" not in tab.locator("main").text_content()
    tab.goto(pair.shop_url + "/shop/help")
    tab.get_by_role("button", name="Restore Purchases").click()
    expect(tab.locator("main")).to_contain_text("Your purchases are restored.")
    expect(tab.locator("main")).to_contain_text("Unlocked")


def test_who_bought_nothing_is_told_so(shops):
    tab = shops(f"newcomer-{next(NUMBERS)}", "/shop")
    tab.get_by_role("button", name="Restore Purchases").click()
    expect(tab.locator("main")).to_contain_text("There was nothing to restore")


@pytest.mark.parametrize("script", [True, False])
def test_a_link_of_the_app_signs_in_once_by_its_button(people, pair, script):
    link = pair.app_link("gina")
    context = people.stranger(script=script)
    tab = context.new_page()
    for _ in range(2):
        tab.goto(link)
        expect(tab.locator("main")).to_contain_text("signs you in as gina")
    assert context.cookies() == []
    tab.get_by_role("button", name="Sign In").click()
    expect(tab.get_by_role("heading", level=1)).to_have_text("Content")
    [cookie] = context.cookies()
    assert cookie["httpOnly"] and cookie["sameSite"] == "Lax" and cookie["path"] == "/shop"
    context.clear_cookies()
    tab.goto(link)
    expect(tab.get_by_role("alert")).to_contain_text("used before")
    context.close()


def test_the_development_sign_in_says_what_it_is(people, pair):
    context = people.stranger()
    tab = context.new_page()
    tab.goto(pair.shop_url + "/shop/plan")
    expect(tab.locator("main")).to_contain_text("everybody who reaches this port")
    tab.get_by_label("Account", exact=True).fill("gina")
    tab.get_by_role("button", name="Sign In").click()
    expect(tab.get_by_role("heading", level=1)).to_have_text("Your plan")
    tab.get_by_role("button", name="Sign out").click()
    expect(tab.get_by_role("heading", level=1)).to_have_text("Sign In")
    context.close()
