"""Customers' pages without a mouse."""

import pytest
from account_people import ALMANAC, ESTATE, SEEDS, Device, subscription
from customer import Customer
from playwright.sync_api import expect
from test_account_stories import new_name
from test_keyboard import FOCUSED, stops


@pytest.fixture
def at_keys(visitors, shop):
    """Makes customers who are signed in."""
    contexts = []

    def make(account, **options):
        context = visitors.context(account, **options)
        contexts.append(context)
        return Customer(context, shop)

    yield make
    for context in contexts:
        context.close()


def tabs_to(tab, name):
    for _ in range(60):
        tab.keyboard.press("Tab")
        if tab.evaluate(FOCUSED)["name"] == name:
            return
    raise AssertionError(f"the tab key does not come to {name}")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_one_sees_where_one_is(at_keys, shop, scheme):
    customer = at_keys("omar", color_scheme=scheme)
    life = subscription(shop, "omar")
    for where in [[], ["subscriptions", life, "plans"], ["family"], ["redeem"], ["buy", ALMANAC]]:
        customer.opens(*where)
        found = stops(customer.tab)
        assert not [stop for stop in found if not (stop["outline"] and stop["seen"])]
        reachable = customer.tab.locator(
            ":is(a[href], button, input:not([type=hidden]), select, summary):visible").count()
        assert len(found) >= reachable


def test_the_first_stop_leads_past_the_navigation(at_keys):
    customer = at_keys("omar")
    customer.opens()
    customer.tab.keyboard.press("Tab")
    assert customer.tab.evaluate(FOCUSED)["seen"]
    customer.tab.keyboard.press("Enter")
    customer.tab.keyboard.press("Tab")
    assert customer.tab.evaluate("document.activeElement.closest('main') !== null")


def test_somebody_buys_and_cancels_with_keys_alone(at_keys, shop):
    account = new_name()
    customer = at_keys(account)
    tab = customer.tab
    customer.opens("buy", ESTATE)
    tabs_to(tab, "Subscribe")
    tab.keyboard.press("Enter")
    customer.sees("You’re all set.")
    for name in ["Subscriptions", "Cancel Subscription", "Confirm"]:
        tabs_to(tab, name)
        with tab.expect_navigation():
            tab.keyboard.press("Enter")
    customer.sees("Renewal is off.")
    assert not Device(shop, account).subscriptions()[0]["autoRenew"]


def test_a_reason_is_chosen_with_the_arrows(at_keys, shop):
    account = new_name()
    Device(shop, account).buys(SEEDS)
    customer = at_keys(account)
    tab = customer.tab
    customer.opens("purchases")
    tabs_to(tab, "Request a Refund")
    tab.keyboard.press("Enter")
    customer.sees_heading("Request a Refund")
    radios = tab.locator("main input[type=radio]")
    radios.first.focus()
    tab.keyboard.press("Space")
    tab.keyboard.press("ArrowDown")
    expect(radios.nth(1)).to_be_checked()
    tabs_to(tab, "Request Refund")
    tab.keyboard.press("Enter")
    customer.sees("Your request was submitted.")


def test_enter_redeems_nothing_and_a_problem_is_read_first(at_keys, shop):
    customer = at_keys("nina")
    customer.opens("redeem")
    customer.tab.get_by_label("Enter Code").focus()
    customer.tab.keyboard.type("NONE2026")
    customer.tab.keyboard.press("Enter")
    customer.sees("There is no such code.")
    field = customer.tab.get_by_label("Enter Code")
    expect(field).to_have_attribute("aria-invalid", "true")
    described = field.get_attribute("aria-describedby")
    assert "problem" in described
    customer.opens("buy", SEEDS, quantity="12")
    expect(customer.tab.locator("#problem")).to_be_focused()
