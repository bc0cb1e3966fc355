"""What customers do with their accounts, by clicks alone, with script and without."""

import itertools
import re

import pytest
from account_people import (
    ALMANAC, CODE, ESTATE, SEEDS, Device, set_customer, set_payment, subscription)
from customer import Customer
from playwright.sync_api import expect
from world import VEGETABLES

NUMBERS = itertools.count(1)


@pytest.fixture
def somebody(visitors, shop, script):
    """Makes customers who look at their own accounts, signed in unless they have no name."""
    contexts = []

    def make(account=None):
        context = visitors.context(account, script=script) if account else visitors.stranger(script)
        contexts.append(context)
        return Customer(context, shop)

    yield make
    for context in contexts:
        context.close()


def new_name():
    return f"visitor-{next(NUMBERS)}"


def test_somebody_signs_in_buys_changes_the_plan_cancels_and_stays(somebody, shop):
    account = new_name()
    customer = somebody()
    customer.signs_in(account)
    customer.sees("You have no subscriptions here.")
    # As the shop's link does.
    customer.opens("buy", ESTATE)
    customer.sees("$12.99 per month")
    customer.pushes("Subscribe")
    customer.sees("You’re all set. Thank you for your purchase.")
    customer.goes_to("Subscriptions")
    customer.follows("Manage Subscription")
    customer.follows("Change Plan")
    customer.tab.get_by_role("link", name=re.compile("^Change to Vegetable Patch")).first.click()
    customer.sees("June 15, 2026")
    customer.sees("$0.00")
    customer.pushes("Confirm")
    customer.sees("Your plan is chosen.")
    customer.sees("It changes to Vegetable Patch on June 15, 2026.")
    assert Device(shop, account).subscriptions()[0]["autoRenewProductId"] == VEGETABLES
    # Two taps, and the date between them.
    customer.follows("Cancel Subscription")
    customer.sees("You keep access until June 15, 2026.")
    customer.pushes("Confirm")
    customer.sees("Renewal is off. You keep what you have paid for.")
    assert not shop.subscription(account)["autoRenew"]
    customer.pushes("Keep Subscription")
    customer.sees("Your subscription goes on.")
    assert shop.subscription(account)["autoRenew"]
    customer.follows("Cancel Subscription")
    customer.follows("Not Now")
    assert shop.subscription(account)["autoRenew"]
    customer.pushes("Sign out", within="header")
    customer.sees_heading("Sign in")


def test_who_left_comes_back_with_an_offer(somebody, shop, script):
    account = "lars" if script else "lena"
    customer = somebody(account)
    customer.opens()
    customer.follows("Resubscribe")
    customer.sees("per month for")
    customer.pushes("Resubscribe Now")
    customer.sees("Welcome back. You are subscribed.")
    assert Device(shop, account).subscriptions()[0]["status"] == 1


def test_an_account_that_never_opened_the_app_redeems_a_link(somebody, shop):
    account = new_name()
    customer = somebody(account)
    customer.opens("redeem", code=CODE)
    customer.pushes("Continue")
    customer.sees("Free for 1 month, then $4.99 per month.")
    assert Device(shop, account).subscriptions() == []
    customer.pushes("Redeem Offer")
    customer.sees("The code is redeemed. Enjoy what is new.")
    assert shop.subscription(account)["productId"] == VEGETABLES


def test_a_code_is_typed_and_is_good_once(somebody, shop):
    batch = shop.json("offer", "codes", "create", VEGETABLES, "SPRING", "--count", 1)
    [code] = shop("offer", "codes", "download", batch["id"]).split()[-1:]
    for account, is_first in [(new_name(), True), (new_name(), False)]:
        customer = somebody(account)
        customer.opens()
        customer.goes_to("Redeem Code")
        customer.fills_in("Enter Code", f" {code} ")
        customer.pushes("Continue")
        if is_first:
            customer.pushes("Redeem Offer")
            customer.sees("The code is redeemed.")
        else:
            customer.sees("This code was used already.")


def test_a_refund_is_asked_for(somebody, shop):
    account = new_name()
    set_customer(shop, account, email=f"{account}@example.com")
    bought = Device(shop, account).buys(ALMANAC)
    assert bought
    customer = somebody(account)
    customer.opens()
    customer.goes_to("Purchase Help")
    customer.follows("Request a Refund")
    customer.follows("Request a Refund")
    # Nothing is sent before there is a reason.
    customer.pushes("Request Refund")
    customer.sees_heading("Request a Refund")
    customer.ticks("It does not work as expected")
    customer.pushes("Request Refund")
    customer.sees("Your request was submitted.")
    customer.sees(f"{account}@example.com within 48 hours")
    customer.follows("Done")
    customer.sees("Submitted")
    request = Device(shop, account).ask("GET", "purchases")["purchases"][0]["refundRequest"]
    assert request["state"] == "open" and request["reason"] == "UNSATISFIED_WITH_PURCHASE"
    assert customer.tab.get_by_role("link", name="Request a Refund").count() == 0


def test_a_child_asks_and_the_organiser_answers(somebody, shop):
    parent, child = new_name(), new_name()
    Device(shop, parent).buys(ALMANAC)
    Device(shop, child)
    shop("family", "create", parent, child)
    organiser, member = somebody(parent), somebody(child)
    organiser.opens()
    organiser.goes_to("Family")
    organiser.sees("No request waits.")
    organiser.tab.locator("#asking-0").get_by_role("button", name="Turn On").click()
    organiser.sees("Your settings are saved.")
    for answer, said, result in [
            ("Decline", "You have declined it.", 0), ("Approve", "You have approved it.", 1)]:
        member.opens("buy", SEEDS)
        member.sees("Somebody in your family has to approve it first.")
        member.pushes("Ask to Buy")
        member.sees("Your family was asked to approve it. Nothing is charged until then.")
        organiser.goes_to("Family")
        organiser.sees(child)
        organiser.pushes(answer)
        organiser.sees(said)
        bought = [one["productId"] for one in
                  Device(shop, child).ask("GET", "purchases")["purchases"]]
        assert bought.count(SEEDS) == result
    member.opens()
    member.goes_to("Family")
    member.sees("Welcome. What your family shares includes The Almanac.")
    organiser.pushes("Stop Sharing")
    member.goes_to("Family")
    member.sees("Nobody shares anything with you now.")
    member.follows("Leave Family")
    member.pushes("Leave Family")
    member.sees("You have left the family.")
    member.sees("You are in no family.")


def test_a_higher_price_is_agreed_to_or_not(somebody, shop, script):
    account = "heidi" if script else "hanna"
    customer = somebody(account)
    customer.opens()
    customer.follows("Manage Subscription")
    customer.follows("Review the price")
    customer.sees("€12.99 per month")
    customer.pushes("Agree to New Price" if script else "Do Not Agree")
    customer.sees(
        "You have agreed to the new price." if script
        else "You have not agreed. Renewal is off.")
    after = shop.subscription(account)
    assert after["autoRenew"] == script
    # What was answered is not asked again; declining can be taken back.
    customer.opens("subscriptions", subscription(shop, account), "price")
    customer.sees("There is nothing to answer here." if script else "Subscription Price Increase")


def test_who_is_told_of_a_price_says_that_it_was_seen(somebody, shop, script):
    customer = somebody("omar")
    customer.opens("subscriptions", subscription(shop, "omar"), "price")
    customer.pushes("OK")
    customer.sees("Thank you. You need do nothing else.")
    assert Device(shop, "omar").ask("GET", "in-app-messages")["messages"] == []


def test_what_becomes_of_a_purchase_is_said(somebody, shop):
    account = new_name()
    customer = somebody(account)
    for behaviour, said in [
            ("decline", "Your payment method was declined. Nothing was changed."),
            ("later", "Your bank has not answered yet.")]:
        set_payment(shop, account, behaviour)
        customer.opens("buy", SEEDS)
        customer.pushes("Buy")
        customer.sees(said)
    assert Device(shop, account).ask("GET", "purchases")["purchases"] == []
    account = new_name()
    set_customer(shop, account, interruptsPurchases=True)
    customer = somebody(account)
    customer.opens("buy", SEEDS)
    customer.pushes("Buy")
    customer.sees("Your purchase was interrupted")
    customer.goes_to("Purchase Help")
    customer.follows("Missing a Purchase")
    customer.pushes("Settle and Buy")
    customer.sees("It is settled, and your purchase went on.")
    customer.goes_to("Purchases")
    customer.sees("100 Seeds")


def test_details_are_shared_with_a_publisher_and_taken_back(somebody, shop):
    account = new_name()
    Device(shop, account).buys(ESTATE)
    customer = somebody(account)
    customer.opens()
    customer.goes_to("Messages")
    customer.follows("Sharing with Publishers")
    customer.sees("your period is longer by 1 month")
    customer.fills_in("Name", "Ada <i>")
    customer.fills_in("Email address", "ada@example.com")
    customer.fills_in("Postal code", "12345")
    customer.pushes("Share")
    customer.sees("You share your details with the publisher.")
    customer.pushes("Stop Sharing")
    customer.sees("Nothing is shared.")


def test_the_link_of_the_app_signs_in_once(somebody, shop):
    account = new_name()
    link = Device(shop, account).ask("POST", "account/link")["path"]
    for _ in range(2):
        # Whatever looks at links before people do uses nothing up.
        customer = somebody()
        customer.tab.goto(shop.url + link)
        customer.sees(f"This opens the account of {account} for Garden.")
    customer.pushes("Sign In")
    customer.sees_heading("Subscriptions")
    late = somebody()
    late.tab.goto(shop.url + link)
    late.sees("This link was used already")
    expect(late.tab.get_by_label("Account", exact=True)).to_be_visible()


def test_a_mail_leads_to_the_sheet(somebody, shop):
    customer = somebody("omar")
    customer.opens()
    customer.goes_to("Messages")
    customer.tab.get_by_role("link", name="Price increase for The Whole Garden").last.click()
    frame = customer.tab.frame_locator("iframe")
    expect(frame.locator("body")).to_contain_text("12.99")
    customer.follows("Review the price")
    customer.sees_heading("Subscription Price Increase")
