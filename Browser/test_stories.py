"""What an operator does by clicks alone, with script and without.

Afterwards the command line says the same.
"""

import re

import pytest
from browser import path
from playwright.sync_api import expect
from story import NUMBERS
from world import ESTATE, FLOWERS, VEGETABLES, WINDOW_BOX


def events(production, account):
    return [entry["event"] for entry in production.life(account)]


# Coming in and going out.


@pytest.fixture
def stranger(consoles, script):
    context = consoles.stranger(script=script)
    yield context.new_page()
    context.close()


def test_a_link_lets_one_in_once(stranger, consoles, production, script):
    link = production.sign_in_link()
    stranger.goto(link)
    # Reading it changes nothing.
    stranger.goto(link)
    stranger.get_by_role("button", name="Open the console").click()
    expect(stranger.get_by_role("heading", level=1)).to_have_text("Overview")
    other = consoles.stranger(script=script)
    late = other.new_page()
    late.goto(link)
    late.get_by_role("button", name="Open the console").click()
    expect(late.locator("main")).to_contain_text("used already")
    late.goto(production.url + path())
    assert "/console/sign-in" in late.url
    other.close()


def test_the_token_lets_one_in_where_one_wanted_to_go(stranger, production):
    stranger.goto(production.url + path("customers", "anna"))
    assert "/console/sign-in" in stranger.url
    stranger.get_by_label("Operator's token").fill("operator_0")
    stranger.get_by_role("button", name="Sign in").click()
    expect(stranger.locator("main")).to_contain_text("This is not the operator's token")
    stranger.get_by_label("Operator's token").fill(production.store.ready["operatorToken"])
    stranger.get_by_role("button", name="Sign in").click()
    expect(stranger.get_by_role("heading", level=1)).to_have_text("anna")


def test_who_signs_out_ends_the_session_and_its_copies(stranger, consoles, production):
    stranger.goto(production.sign_in_link())
    stranger.get_by_role("button", name="Open the console").click()
    expect(stranger.get_by_role("heading", level=1)).to_have_text("Overview")
    copied = consoles.stranger(storage_state=stranger.context.storage_state())
    stranger.get_by_role("button", name="Sign out").click()
    assert "/console/sign-in" in stranger.url
    for tab in [stranger, copied.new_page()]:
        tab.goto(production.url + path())
        assert "/console/sign-in" in tab.url
    copied.close()


# A customer's life.


def test_an_upgrade_takes_effect_at_once(operator, production, customer):
    account = customer(VEGETABLES)
    operator.begins("Change the plan", account)
    operator.chooses("Product to move to", ESTATE)
    operator.previews()
    operator.sees("9.99")
    assert production.subscription(account)["productId"] == VEGETABLES
    operator.confirms("Change the plan")
    operator.sees_heading(ESTATE)
    after = production.subscription(account)
    assert (after["productId"], after["price"]) == (ESTATE, production.price_of(ESTATE))
    assert events(production, account) == ["chosePlan", "chosePlan"]


def test_a_plan_that_there_is_not_is_refused_in_words(operator, production, customer):
    account = customer(VEGETABLES)
    before = production.subscription(account)
    operator.tab.goto(production.url + path(
        "subscriptions", before["originalTransactionId"], "plan", preview=1,
        product="com.example.garden.weeds"))
    operator.sees("com.example.garden.weeds")
    assert operator.tab.get_by_role("alert").count() == 1
    operator.follows("Back to the subscription")
    assert production.subscription(account) == before


def test_a_payment_fails_and_is_made_good(operator, production, customer):
    account = customer(ESTATE)
    operator.looks_up(account)
    operator.does("Change the payments")
    operator.sees("declined")
    assert production.customer(account)["paymentMethod"]["behaviour"] == "decline"
    operator.lets_go_by("One month")
    operator.opens_subscription(account)
    failed = production.subscription(account)
    shown = {"grace": "in grace", "retrying": "billing retry"}[failed["state"]]
    operator.sees_heading(shown)
    operator.looks_up(account)
    operator.does("Approve payments", "Change the payments")
    operator.sees_heading(account)
    operator.opens_subscription(account)
    operator.sees_heading("active")
    recovered = production.subscription(account)
    assert (recovered["state"], recovered["entitled"]) == ("active", True)
    assert recovered["expires"] > failed["expires"]
    operator.sees("DID_RENEW/BILLING_RECOVERY")


def test_only_so_many_payments_fail(operator, production, customer):
    account = customer(ESTATE)
    operator.looks_up(account)
    operator.fills_in("How many", "2")
    operator.does("Change the payments")
    operator.sees("2 times more")
    assert production.customer(account)["paymentMethod"]["count"] == 2


def test_an_extension_moves_the_end_of_the_period(operator, production, customer):
    account = customer(ESTATE)
    before = production.subscription(account)
    operator.begins("Extend the period", account)
    operator.fills_in("Days", "30")
    operator.chooses("Reason", "serviceIssueOrOutage")
    operator.previews()
    assert production.subscription(account) == before
    operator.confirms("Extend the period")
    after = production.subscription(account)
    assert after["expires"] > before["expires"] and len(after["extensions"]) == 1
    operator.sees("RENEWAL_EXTENDED")


def test_too_long_an_extension_is_refused_in_words(operator, production, customer):
    account = customer(ESTATE)
    operator.begins("Extend the period", account)
    operator.fills_in("Days", "91")
    operator.previews()
    assert operator.tab.get_by_role("alert").count() == 1
    assert operator.tab.get_by_role("region", name="What it will do").count() == 0


def test_a_refund_ends_access(operator, production, customer):
    account = customer(ESTATE)
    operator.begins("Refund", account)
    operator.previews()
    operator.sees("9.99")
    assert production.subscription(account)["state"] == "active"
    operator.confirms("Refund")
    operator.sees_heading("refunded")
    operator.sees("The customer has no access.")
    after = production.subscription(account)
    assert (after["state"], after["entitled"]) == ("revoked", False)


def test_renewal_is_turned_off_and_on(operator, production, customer):
    account = customer(ESTATE)
    operator.begins("Turn renewal off", account)
    operator.confirms("Turn renewal off")
    assert production.subscription(account)["autoRenew"] is False
    operator.begins("Turn renewal on", account)
    operator.confirms("Turn renewal on")
    assert production.subscription(account)["autoRenew"] is True


def test_whoever_turned_renewal_off_is_gone_a_month_later(operator, production, customer):
    account = customer(ESTATE)
    operator.begins("Turn renewal off", account)
    operator.confirms("Turn renewal off")
    operator.lets_go_by("One month")
    operator.opens_subscription(account)
    operator.sees_heading("expired")
    assert production.subscription(account)["state"] == "expired"


def test_what_changed_meanwhile_is_shown_before_it_is_done(operator, production, customer):
    account = customer(ESTATE)
    operator.begins("Turn renewal off", account)
    production("extensions", "grant", account, "--days", 3)
    operator.pushes("Turn renewal off")
    operator.sees("Something happened to the subscription since you looked")
    assert production.subscription(account)["autoRenew"] is True


def test_leaving_it_as_it_is_changes_nothing(operator, production, customer):
    account = customer(ESTATE)
    before = production.subscription(account)
    operator.begins("End at once", account)
    operator.follows("Leave it as it is")
    operator.sees_heading(ESTATE)
    assert production.subscription(account) == before


# Prices and everybody at once.


def test_a_price_rises_for_those_who_subscribe(operator, production, customer):
    account = customer(WINDOW_BOX)
    price = f"{next(NUMBERS) + 1}.49"
    operator.goes_to("Catalogue")
    operator.follows(WINDOW_BOX)
    operator.fills_in("Storefront", "USA")
    operator.fills_in("Price", price)
    operator.chooses("Present subscribers", "apply")
    operator.does("Schedule a price", "Schedule the price")
    operator.sees_heading(WINDOW_BOX)
    operator.sees(f"${price}")
    [change, *_] = production.json("price", "changes")["priceChanges"]
    assert (change["productId"], change["storefront"]) == (WINDOW_BOX, "USA")
    assert change["price"] == round(float(price) * 1000)
    assert "priceIncrease" in production.subscription(account)


def test_all_subscribers_of_a_product_are_extended(operator, production, customer):
    account = customer(FLOWERS)
    before = production.subscription(account)
    operator.goes_to("Extensions")
    operator.chooses("Product", FLOWERS)
    operator.fills_in("Days", "7")
    operator.pushes("See whom it concerns")
    operator.sees(FLOWERS)
    assert production.subscription(account) == before
    operator.pushes("Extend them all")
    complete = operator.tab.locator("main").get_by_text(re.compile("^complete"))
    while not complete.count():
        operator.tab.wait_for_timeout(200)
        operator.tab.reload()
    assert production.subscription(account)["expires"] > before["expires"]


# Time.


def test_a_year_goes_by(operator, production, customer):
    account = customer(ESTATE)
    before = production.now()
    operator.lets_go_by("One year")
    operator.sees("everything due has happened")
    operator.sees("What happened")
    now = production.now()
    assert int(now[:4]) == int(before[:4]) + 1 and now[4:] == before[4:]
    assert production.subscription(account)["renewalCount"] >= 11
    expect(operator.tab.locator("header time")).to_have_attribute("datetime", now)


def test_progress_is_shown_until_it_is_there(operator, production, script):
    """The page of a move that somebody else makes: it shows how far it is, and then the end."""
    now = production.now()
    month = f"{int(now[:4]) + 1}{now[4:]}"
    where = path("clock", "progress", **{"from": now, "to": month, "since": 0})
    operator.tab.goto(production.url + where)
    operator.sees_heading("The clock is being moved")
    expect(operator.tab.get_by_role("progressbar")).to_be_visible()
    expect(operator.tab.locator("[data-live-text]")).to_contain_text("Reached")
    production("advance", "--to", month)
    operator.waits_for_the_clock()
    operator.sees("everything due has happened")
    assert operator.tab.get_by_role("progressbar").count() == 0


def test_a_step_goes_to_what_happens_next(operator, production, customer):
    customer(ESTATE)
    ahead = production.json("clock")["nextEvent"]
    operator.goes_to("Clock")
    operator.does("One step", "Step the clock")
    operator.waits_for_the_clock()
    assert production.now() == ahead


def test_time_runs_until_somebody_is_told(operator, production, customer):
    account = customer(ESTATE)
    production("renewal", account, "off")
    before = len(production.json("notifications", "--limit", 200)["notifications"])
    operator.goes_to("Clock")
    operator.chooses("Notification", "EXPIRED")
    operator.does("Run", "Run until a notification")
    operator.waits_for_the_clock()
    told = production.json("notifications", "--limit", 200)["notifications"]
    assert told[0]["notificationType"] == "EXPIRED" and len(told) >= before
    assert told[0]["created"] == production.now()


def test_a_moment_that_is_none_is_refused_in_words(operator, production):
    before = production.now()
    operator.goes_to("Clock")
    operator.fills_in("How far", "tomorrow")
    operator.pushes("See what falls due")
    assert operator.tab.get_by_role("alert").count() == 1
    operator.follows("Back")
    operator.sees_heading("Clock")
    assert production.now() == before


def test_the_same_form_does_it_once(operator, production, customer):
    """Who goes back and sends it again comes to the same page, and nothing happens twice."""
    account = customer(ESTATE)
    operator.begins("Extend the period", account)
    operator.fills_in("Days", "5")
    operator.previews()
    form = operator.tab.get_by_role("region", name="What it will do").locator("form")
    fields = dict(form.locator("input").evaluate_all("all => all.map(n => [n.name, n.value])"))
    for _ in range(2):
        answer = operator.tab.request.post(
            production.url + form.get_attribute("action"), form=fields, max_redirects=0,
            headers={"Sec-Fetch-Site": "same-origin"})
        assert answer.status == 303
        assert re.search(r"/console/subscriptions/\d+\?done=doAct$", answer.headers["location"])
    assert len(production.subscription(account)["extensions"]) == 1
