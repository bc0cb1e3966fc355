"""What nobody can do to a customer: names that mean harm, other sites, forms that are sent again."""

import re

import pytest
from account_people import APP, CODE, ESTATE, HOSTILE_PRODUCT, SEEDS, Device, subscription
from browser import PATIENCE
from customer import Customer, path
from neighbour import Neighbour
from playwright.sync_api import expect
from test_account_stories import new_name
from test_other_sites import sending
from world import HOSTILE_NAMES, HOSTILE_QUESTIONS

# None of our templates has these in the body.
FOREIGN = ("body script, body iframe, body b, body img:not(.ware img), body svg, [onerror],"
           " [onfocus], [onload], [autofocus]")
SAME_SITE = {"Sec-Fetch-Site": "same-origin"}


@pytest.fixture(scope="module")
def neighbour():
    neighbour = Neighbour()
    yield neighbour
    neighbour.close()


@pytest.fixture
def watched(visitors, shop):
    """Makes a tab of a customer's that remembers what should not have happened."""
    contexts = []

    def make(account=None):
        context = visitors.context(account) if account else visitors.stranger()
        contexts.append(context)
        customer = Customer(context, shop)
        customer.happened = []
        customer.tab.on("dialog", lambda one: (
            customer.happened.append(one.message), one.dismiss()))
        customer.tab.on("console", lambda one: (
            one.type == "error" and "status of 4" not in one.text
            and customer.happened.append(one.text)))
        return customer

    yield make
    for context in contexts:
        context.close()


def assert_harmless(customer, text=None):
    tab = customer.tab
    assert tab.locator(FOREIGN).count() == 0
    assert tab.evaluate("[...document.querySelectorAll('a[href], form[action]')].every("
                        "a => (a.href || a.action).startsWith(location.origin + '/account'))")
    assert customer.happened == []
    if text is not None:
        said = tab.evaluate("document.body.textContent + [...document.querySelectorAll('input')]"
                            ".map(one => one.value).join()")
        assert text in said


@pytest.mark.parametrize("name", [HOSTILE_NAMES[at] for at in [0, 1, 2, 4, 7, 9, 11]], ids=lambda name: ascii(name)[:30])
def test_an_accounts_name_stays_a_name(watched, name):
    customer = watched()
    customer.signs_in(name)
    assert_harmless(customer)
    customer.opens("buy", SEEDS)
    assert_harmless(customer, name)
    customer.pushes("Buy")
    customer.sees("You’re all set.")
    assert_harmless(customer, name)
    customer.follows("Request a Refund")
    assert_harmless(customer, name)


def test_what_a_family_is_called_stays_names(watched):
    for account in ["omar", "mia", HOSTILE_NAMES[1]]:
        customer = watched(account)
        customer.opens("family")
        assert_harmless(customer, HOSTILE_NAMES[1])


def test_what_a_developer_says_stays_text(watched, shop):
    customer = watched("omar")
    for where in [["purchases"], ["buy", HOSTILE_PRODUCT], ["mailbox"], ["sharing"]]:
        customer.opens(*where)
        assert_harmless(customer, "<b>Sons</b>" if where == ["sharing"] else "<img src=x")


@pytest.mark.parametrize(
    "question", [*HOSTILE_QUESTIONS[:2], *HOSTILE_NAMES[1:3], "javascript:alert(1)"],
    ids=lambda question: ascii(question)[:30])
def test_what_is_typed_or_asked_for_stays_text(watched, shop, question):
    customer = watched("greta")
    life = subscription(shop, "greta")
    for where, query in [
            (["redeem"], {"code": question}), (["redeem", "offer"], {"code": question}),
            (["redeem", "offer"], {"code": CODE, "via": question}), ([], {"done": question}),
            (["buy", question], {}), (["purchases", question], {}), (["mailbox", question], {}),
            (["subscriptions", question], {}), (["purchases"], {"before": question}),
            (["mailbox"], {"before": question}),
            (["buy", SEEDS], {"quantity": question, "token": question, "promotional": question}),
            (["buy", ESTATE], {"billing": question, "winBack": question}),
            (["buy", SEEDS, "result"], {"request": question, "bill": question}),
            (["subscriptions", life, "plans", question], {"billing": question}),
            (["sign-in"], {"to": question, "code": question})]:
        answer = customer.opens(*where, **query)
        assert answer.status < 500, (where, query)
        assert_harmless(customer)
    customer.opens("redeem")
    customer.fills_in("Enter Code", question)
    customer.pushes("Continue")
    assert_harmless(customer, question.strip())


def test_what_is_shared_with_a_publisher_stays_text(watched, shop):
    account, text = new_name(), HOSTILE_NAMES[0]
    Device(shop, account).buys(ESTATE)
    customer = watched(account)
    customer.opens("sharing")
    for label in ["Name", "Email address", "Postal code"]:
        customer.fills_in(label, text)
    customer.pushes("Share")
    customer.sees("Fill in your name, and an email address")
    assert_harmless(customer, text)


# Where one comes from and goes to.


@pytest.mark.parametrize("target", [
    "https://example.com/", "//example.com", "/account\\@example.com", "javascript:alert(1)",
    "/\u0009/example.com", "/console", "/accounts", "/account/../console"])
def test_signing_in_leads_nowhere_else(visitors, shop, target):
    context = visitors.stranger()
    tab = context.new_page()
    tab.goto(shop.url + path("sign-in", to=target))
    tab.get_by_label("Account", exact=True).fill("nina")
    tab.get_by_role("button", name="Sign In").click()
    tab.wait_for_url(re.compile(re.escape(shop.url) + "/account$"))
    answer = context.request.post(
        shop.url + path("sign-in"), max_redirects=0, headers=SAME_SITE,
        form={"app": APP, "account": "nina", "to": target})
    assert answer.status == 303 and answer.headers["location"] == "/account"
    context.close()


def test_one_comes_to_the_page_that_one_asked_for(visitors, shop):
    context = visitors.stranger()
    tab = context.new_page()
    tab.goto(shop.url + path("redeem", code=CODE))
    tab.get_by_label("Account", exact=True).fill("nina")
    tab.get_by_role("button", name="Sign In").click()
    expect(tab.get_by_label("Enter Code")).to_have_value(CODE)
    context.close()


def test_no_other_page_can_show_an_account(watched, shop, neighbour):
    customer = watched("omar")
    life = subscription(shop, "omar")
    for where in [[], ["subscriptions", life, "cancel"], ["buy", SEEDS], ["sign-in"]]:
        headers = customer.opens(*where).headers
        assert headers["x-frame-options"] == "DENY"
        assert "frame-ancestors 'none'" in headers["content-security-policy"]
        assert "'unsafe" not in headers["content-security-policy"]
        assert headers["cache-control"] == "no-store"
    cancel = shop.url + path("subscriptions", life, "cancel")
    customer.tab.goto(neighbour.serve("/frame", f'<iframe src="{cancel}" title="x"></iframe>'))
    customer.tab.wait_for_load_state("networkidle")
    [inner] = [one for one in customer.tab.frames if one.parent_frame is not None]
    assert "Confirm Cancellation" not in inner.content() and inner.locator("button").count() == 0


def test_a_form_of_another_site_does_nothing(watched, shop, neighbour):
    account = new_name()
    Device(shop, account).buys(ESTATE)
    life = subscription(shop, account)
    for name, action, fields in [
            ("cancel", ["subscriptions", life, "cancel"], {"form": "form_1"}),
            ("buy", ["buy", SEEDS], {"charged": "1990", "form": "form_2"}),
            ("leave", ["family", "leave"], {}), ("out", ["sign-out"], {})]:
        customer = watched(account)
        customer.tab.goto(neighbour.serve(
            f"/{name}", sending(shop.url + path(*action), **fields)))
        customer.tab.wait_for_url(shop.url + "/**", timeout=PATIENCE)
        # Nobody is signed in there: the cookie does not come along. Or it is refused.
        assert customer.tab.get_by_role("button", name="Confirm").count() == 0
        customer.opens()
        customer.sees_heading("Subscriptions")
    assert Device(shop, account).subscriptions()[0]["autoRenew"]
    assert len(Device(shop, account).ask("GET", "purchases")["purchases"]) == 1


def test_nobody_can_choose_the_session_of_somebody_else(visitors, shop):
    context = visitors.context("mia")
    [chosen] = context.cookies()
    assert chosen["httpOnly"] and chosen["sameSite"] == "Lax" and chosen["path"] == "/account"
    tab = context.new_page()
    tab.goto(shop.url + path("sign-in"))
    tab.get_by_label("Account", exact=True).fill("nina")
    tab.get_by_role("button", name="Sign In").click()
    [cookie] = context.cookies()
    assert cookie["value"] != chosen["value"]
    # What was signed out of is over wherever it was copied to.
    tab.locator("header").get_by_role("button", name="Sign out").click()
    context.add_cookies([cookie])
    tab.goto(shop.url + path())
    expect(tab.locator("h1")).to_have_text("Sign in")
    context.add_cookies([{**cookie, "value": cookie["value"][:-2] + "AA"}])
    tab.goto(shop.url + path())
    expect(tab.locator("h1")).to_have_text("Sign in")
    context.close()


# Once is once.


def test_a_double_click_buys_once(watched, shop):
    account = new_name()
    customer = watched(account)
    customer.opens("buy", SEEDS)
    customer.tab.get_by_role("button", name="Buy", exact=True).dblclick(no_wait_after=True)
    customer.sees("You’re all set.")
    assert len(Device(shop, account).ask("GET", "purchases")["purchases"]) == 1


def test_a_form_that_is_sent_again_does_it_once(watched, shop):
    account = new_name()
    customer = watched(account)
    customer.opens("buy", SEEDS)
    form = customer.tab.locator("main form").first
    fields = dict(form.locator("input").evaluate_all("all => all.map(n => [n.name, n.value])"))
    places = set()
    for _ in range(3):
        answer = customer.tab.request.post(
            shop.url + form.get_attribute("action"), form=fields, max_redirects=0,
            headers=SAME_SITE)
        assert answer.status == 303
        places.add(answer.headers["location"])
    assert len(places) == 1
    assert len(Device(shop, account).ask("GET", "purchases")["purchases"]) == 1
    # Going back and pushing once more is a purchase of its own, as with a new page.
    customer.opens("buy", SEEDS)
    customer.pushes("Buy")
    customer.sees("You’re all set.")
    assert len(Device(shop, account).ask("GET", "purchases")["purchases"]) == 2


def test_a_price_that_is_not_the_pages_is_refused(watched, shop):
    account = new_name()
    customer = watched(account)
    customer.opens("buy", SEEDS)
    customer.tab.locator("main form [name=charged]").first.evaluate("node => node.value = '1'")
    customer.pushes("Buy")
    customer.sees("The amount or the offer has changed since the page was opened.")
    assert Device(shop, account).ask("GET", "purchases")["purchases"] == []


def test_what_is_somebody_elses_is_not_there(watched, shop):
    life = subscription(shop, "omar")
    mail = shop.json("mailbox", "--account", "omar")["mails"][0]["id"]
    bought = Device(shop, "omar").ask("GET", "purchases")["purchases"][0]["transactionId"]
    customer = watched("nina")
    for where in [["subscriptions", life], ["subscriptions", life, "cancel"],
                  ["purchases", bought], ["purchases", bought, "refund"], ["mailbox", mail]]:
        assert customer.opens(*where).status == 404
        assert "omar" not in customer.text()
