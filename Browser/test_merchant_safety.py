"""What others can do to those who shop or run a merchant: nothing."""

import re

import pytest
from browser import path
from merchant_people import HOSTILE, HOSTILE_WORDS
from neighbour import Neighbour
from playwright.sync_api import expect
from test_hostile_text import FOREIGN
from test_other_sites import sending
from world import HOSTILE_QUESTIONS

TARGETS = [
    "https://example.com/", "//example.com", "\\\\example.com", "javascript:alert(1)",
    "/\u0009/example.com", "/other"]


@pytest.fixture(scope="module")
def neighbour():
    neighbour = Neighbour()
    yield neighbour
    neighbour.close()


@pytest.fixture
def watched(people):
    """Opens tabs that remember what should not have happened."""
    contexts = []

    def open(context):
        contexts.append(context)
        tab = context.new_page()
        tab.happened = []
        tab.on("dialog", lambda dialog: (tab.happened.append(dialog.message), dialog.dismiss()))
        tab.on("console", lambda one: one.type == "error" and tab.happened.append(one.text))
        return tab

    yield open
    for context in contexts:
        context.close()


def assert_harmless(tab, text):
    assert tab.locator(FOREIGN.replace("body iframe", "iframe[srcdoc]")).count() == 0
    assert tab.happened == []
    assert text in tab.evaluate("document.body.textContent")


@pytest.mark.parametrize("name", HOSTILE, ids=lambda name: ascii(name)[:30])
def test_a_name_stays_a_name_at_the_merchant(watched, people, pair, name):
    tab = watched(people.operator())
    for address in [
            path("customers", search=name), path("customers", pair.app, name),
            path("customers", pair.app, name, "events")]:
        tab.goto(pair.shop_url + address)
        assert_harmless(tab, name)


@pytest.mark.parametrize("name", HOSTILE[:4], ids=lambda name: ascii(name)[:30])
def test_a_name_stays_a_name_in_the_demonstration_and_in_the_shop(watched, people, pair, name):
    tab = watched(people.operator())
    tab.goto(pair.shop_url + "/")
    tab.get_by_label("Customer", exact=True).fill(name)
    tab.get_by_role("button", name="Show this customer").click()
    expect(tab.get_by_label("Customer", exact=True)).to_have_value(name)
    tab.wait_for_load_state("networkidle")
    assert tab.happened == []
    shop = watched(people.customer(name))
    shop.goto(pair.shop_url + "/shop/help")
    assert_harmless(shop, name)


@pytest.mark.parametrize("question", HOSTILE_QUESTIONS, ids=lambda question: ascii(question)[:30])
def test_a_question_stays_a_question(watched, people, pair, question):
    tab = watched(people.operator())
    for address, label in [
            (path("customers", search=question), "Name begins with"),
            (path("notifications", type=question), "Type"),
            (path("unowned", productId=question), "Product"),
            (path("unowned", pair.app, "1", account=question), "Account")]:
        tab.goto(pair.shop_url + address)
        expect(tab.get_by_label(label, exact=True)).to_have_value(question)
        assert tab.happened == []
        assert tab.locator(FOREIGN).count() == 0
    for address in [f"/shop/sign-in?to={question}&code={question}", f"/shop?done={question}"]:
        tab.goto(pair.shop_url + address)
        tab.happened.clear()
        assert tab.locator(FOREIGN).count() == 0


def test_what_a_campaign_says_stays_text_on_the_sheet(watched, people, pair):
    tab = watched(people.customer("tina"))
    tab.goto(pair.shop_url + "/shop/price")
    assert_harmless(tab, HOSTILE_WORDS)


@pytest.mark.parametrize("target", TARGETS)
def test_a_sign_in_leads_nowhere_else(people, pair, target):
    context = people.stranger()
    for address, fields, root in [
            ("/shop/sign-in", {"app": pair.app, "account": "nina"}, "/shop/content"),
            ("/console/sign-in", {"token": pair.merchant["operatorToken"]}, "/console")]:
        answer = context.request.post(
            pair.shop_url + address, form={**fields, "to": target}, max_redirects=0,
            headers={"Sec-Fetch-Site": "same-origin"})
        assert (answer.status, answer.headers["location"]) == (303, root)
    context.close()


@pytest.mark.parametrize("action", [
    "/demo/clock", "/demo/customer", "/demo/purchases", "/demo/open", "/console/gaps/heal",
    "/console/sign-out", "/console/dead-letters/1/replay", "/shop/restore", "/shop/sign-out",
    "/shop/price/1", "/shop/sign-in"])
def test_a_form_of_another_site_changes_nothing(people, pair, beside, neighbour, action):
    context = people.operator()
    tab = context.new_page()
    before = (beside.now(), pair.merchant_call("GET", "/v1/operator/audit"))
    cookies = sorted((one["name"], one["value"]) for one in context.cookies())
    page = sending(
        pair.shop_url + action, step="P1M", account="mallory", app=pair.app)
    tab.goto(neighbour.serve("/" + re.sub(r"\W", "-", action), page))
    tab.wait_for_url(pair.shop_url + "/**")
    expect(tab.get_by_role("alert")).to_be_visible()
    assert (beside.now(), pair.merchant_call("GET", "/v1/operator/audit")) == before
    assert sorted((one["name"], one["value"]) for one in context.cookies()) == cookies
    context.close()


@pytest.mark.parametrize("address", ["/", "/console", "/console/customers"])
def test_neither_console_nor_demonstration_is_laid_under_another_page(
        people, pair, neighbour, address):
    assert_not_framed(people, neighbour, pair.shop_url + address)


@pytest.mark.parametrize("address", ["/shop", "/shop/price", "/shop/sign-in"])
def test_the_shop_is_laid_under_no_page_but_the_demonstration(people, pair, neighbour, address):
    assert_not_framed(people, neighbour, pair.shop_url + address)


def assert_not_framed(people, neighbour, address):
    context = people.operator()
    tab = context.new_page()
    tab.goto(neighbour.serve("/frame", f'<iframe src="{address}" title="one"></iframe>'))
    tab.wait_for_load_state("networkidle")
    [inner] = [one for one in tab.frames if one.parent_frame is not None]
    assert inner.locator("main").count() == 0
    context.close()


def test_a_session_that_somebody_else_chose_is_not_kept(people, pair):
    """Whoever plants a cookie does not know the session that signing in begins."""
    context = people.stranger()
    context.add_cookies([{"name": "perennial-shop", "value": "planted", "url": pair.shop_url}])
    tab = context.new_page()
    tab.goto(pair.shop_url + "/shop/sign-in")
    tab.get_by_label("Account", exact=True).fill("nina")
    tab.get_by_role("button", name="Sign In").click()
    expect(tab.get_by_role("heading", level=1)).to_have_text("Content")
    mine = {one["value"] for one in context.cookies() if one["path"] == "/shop"}
    assert mine and "planted" not in mine
    context.close()


def test_a_session_that_has_ended_opens_nothing_wherever_it_was_copied(people, pair):
    context = people.customer("nina")
    copied = context.cookies()
    tab = context.new_page()
    tab.goto(pair.shop_url + "/shop/content")
    tab.get_by_role("button", name="Sign out").click()
    expect(tab.get_by_role("heading", level=1)).to_have_text("Sign In")
    context.add_cookies(copied)
    tab.goto(pair.shop_url + "/shop/content")
    expect(tab.get_by_role("heading", level=1)).to_have_text("Sign In")
    context.close()


def test_a_restore_that_is_sent_again_is_one(people, pair):
    context = people.customer("nina")
    tab = context.new_page()
    tab.goto(pair.shop_url + "/shop/help")
    form = tab.locator("form[action='/shop/restore'] input[name=form]").get_attribute("value")
    places = [
        context.request.post(
            pair.shop_url + "/shop/restore", form={"form": form}, max_redirects=0,
            headers={"Sec-Fetch-Site": "same-origin"}).headers["location"] for _ in range(2)]
    assert places[0] == places[1]
    context.close()
