"""The demonstration: a customer, the store and the merchant on one page, by clicks alone."""

import re

import pytest
from browser import NARROW, size
from playwright.sync_api import expect
from story import NUMBERS

# Which part of the page is the customer's telephone.
PHONE = "iframe[name=phone]"


@pytest.fixture(params=[True, False], ids=["with script", "without script"])
def demo(request, people, pair):
    """The page, with a customer whom no other test knows."""
    context = people.operator(script=request.param)
    tab = context.new_page()
    tab.goto(pair.shop_url + "/")
    account = f"visitor-{next(NUMBERS)}"
    tab.get_by_label("Customer", exact=True).fill(account)
    tab.get_by_role("button", name="Show this customer").click()
    expect(tab.frame_locator("iframe[name=store]").get_by_role("heading", level=1)).to_have_text(
        account)
    tab.account = account
    yield tab
    context.close()


def buys(tab, pair, button="Try It Free: Plant Doctor, 1 week"):
    """Buys on the telephone, from the paywall to the store's confirmation."""
    phone = tab.frame_locator(PHONE)
    phone.get_by_role("link", name="See Your Options").last.click()
    phone.get_by_role("link", name=button).click()
    # All three pages have forms and name the product, so each is known by its address.
    phone.locator("form[action^='/account/buy/'] button[type=submit]").click()
    tab.frame(name="phone").wait_for_url(re.compile(r"/account/purchases/\d+"))


def test_what_is_bought_on_the_left_renews_on_the_right(demo, pair, beside):
    tab = demo
    expect(tab.locator("#merchant")).to_contain_text("knows of no purchase")
    buys(tab, pair)
    before = beside.now()
    tab.get_by_role("button", name="A month later").click()
    expect(tab.locator("#merchant")).to_contain_text("Plant Doctor")
    expect(tab.locator("#merchant")).to_contain_text("Your purchase is paid.")
    assert beside.now()[:7] != before[:7]
    life = beside.subscription(tab.account)
    assert life["state"] == "active" and life["renewalCount"] >= 1
    # The store's part shows the same subscription, and the telephone what it unlocks.
    expect(tab.frame_locator("iframe[name=store]").locator("main")).to_contain_text(
        "doctor.monthly")
    expect(tab.frame_locator(PHONE).locator("main")).to_contain_text("Unlocked")
    until = tab.locator("#merchant time").first.get_attribute("datetime")
    tab.get_by_role("button", name="A month later").click()
    expect(tab.locator("#merchant time").first).not_to_have_attribute("datetime", until)


def test_the_app_can_be_made_to_send_what_was_bought(demo, pair):
    tab = demo
    buys(tab, pair)
    # Where scripts run it is sent by itself: a page that was just opened has sent nothing yet.
    tab.goto(pair.shop_url + "/")
    tab.get_by_role("button", name="Send the phone's purchases").click()
    expect(tab.locator("#merchant")).to_contain_text("Access")


def test_links_below_the_telephone_open_in_it(demo, pair):
    tab = demo
    tab.locator("#phone").get_by_role("link", name="Account at the store").click()
    expect(tab.frame_locator(PHONE).locator("html")).to_have_attribute(
        "data-environment", "production")
    assert tab.url == pair.shop_url + "/"
    tab.locator("#phone").get_by_role("link", name="Shop").click()
    expect(tab.frame_locator(PHONE).get_by_role("heading", level=1)).to_have_text("Content")


def test_a_form_that_is_sent_twice_moves_the_clock_once(demo, pair, beside):
    tab = demo
    form = tab.locator("form[action='/demo/clock']").first
    fields = dict(form.locator("input").evaluate_all("all => all.map(n => [n.name, n.value])"))
    moments = []
    for _ in range(2):
        answer = tab.request.post(
            pair.shop_url + "/demo/clock", form=fields, max_redirects=0,
            headers={"Sec-Fetch-Site": "same-origin"})
        assert answer.status == 303 and answer.headers["location"] == "/"
        moments.append(beside.now())
    assert moments[0] == moments[1]


def test_a_double_click_moves_the_clock_once(people, pair, beside):
    context = people.operator()
    tab = context.new_page()
    tab.goto(pair.shop_url + "/")
    before = beside.now()
    tab.get_by_role("button", name="A day later").dblclick()
    tab.wait_for_load_state("networkidle")
    after = beside.now()
    assert (before[:10], after[:10]) != (after[:10], before[:10])
    assert int(beside.json("clock")["now"][8:10]) in [
        int(before[8:10]) + 1, 1], f"from {before} to {after}"
    context.close()


def test_a_link_opens_it_once_and_looking_does_not_use_it_up(people, pair):
    people.operator().close()
    context = people.stranger()
    tab = context.new_page()
    # It was used before.
    tab.goto(pair.demo_link())
    tab.get_by_role("button", name="Open the demonstration").click()
    expect(tab.get_by_role("alert")).to_contain_text("used before")
    tab.goto(pair.shop_url + "/")
    expect(tab.locator("main")).to_contain_text("Open the address that")
    assert tab.locator("form, iframe").count() == 0
    context.close()


def test_columns_stand_below_each_other_on_a_phone(people, pair):
    context = people.operator(viewport=size(NARROW), color_scheme="dark")
    tab = context.new_page()
    tab.goto(pair.shop_url + "/")
    tops = [tab.locator(part).bounding_box()["y"] for part in ["#phone", "#store", "#merchant"]]
    assert tops == sorted(tops) and len(set(tops)) == 3
    context.close()


def test_three_columns_stand_beside_each_other_on_a_desk(people, pair):
    context = people.operator()
    tab = context.new_page()
    tab.goto(pair.shop_url + "/")
    tops = {tab.locator(part).bounding_box()["y"] for part in ["#phone", "#store", "#merchant"]}
    assert len(tops) == 1
    # Nothing is squeezed: each value has room for a word.
    widths = tab.locator("#merchant dd").evaluate_all("all => all.map(n => n.offsetWidth)")
    assert all(width > 80 for width in widths), widths
    context.close()


def test_the_page_shows_both_and_nobody_shows_it(people, pair):
    context = people.operator()
    answer = context.request.get(pair.shop_url + "/", headers={"Accept": "text/html"})
    policy = answer.headers["content-security-policy"]
    assert "frame-ancestors 'none'" in policy
    assert f"frame-src 'self' {pair.url('production')}" in policy
    for address in [pair.shop_url + "/shop/content", pair.url("production") + "/account"]:
        policy = context.request.get(address).headers["content-security-policy"]
        assert re.search(rf"frame-ancestors {re.escape(pair.shop_url)}(;|$)", policy), policy
    context.close()
