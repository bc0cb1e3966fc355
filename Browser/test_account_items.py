"""What must be on customers' pages, item by item: the names are those of the guidelines' list.

HIG is the chapter on in-app purchase of the Human Interface Guidelines, PI the sheet about a higher
price, FAM-P1 the family's page. Each is looked at on a telephone, in English unless it says so.
"""

import re

import pytest
from account_people import (
    ADDRESS, AFTER, ALMANAC, BEFORE, BOX, CODE, ESTATE, FLOWERS, PASS, SEEDS, YEARLY,
    Device, subscription)
from browser import NARROW, size
from customer import path
from playwright.sync_api import expect
from world import VEGETABLES

CHECKS = {}
# What is not a matter of the store's pages, or is held by a test of another kind.
ELSEWHERE = {
    "the merchant's shop": ["HIG-1", "HIG-2", "HIG-10", "HIG-11", "HIG-12", "HIG-13", "HIG-21",
                            "HIG-24", "HIG-26", "HIG-28", "HIG-29", "HIG-30", "HIG-31",
                            "HIG-40", "HIG-43", "PI-9"],
    "Tests/AccountTests/PriceSheetTests.swift": ["PI-10", "PI-14"],
    "test_account_stories.py": ["HIG-49", "PI-11"],
}
ALL = [*(f"HIG-{number}" for number in range(1, 61)), "FAM-P1",
       *(f"PI-{number}" for number in range(1, 15))]
DAY = r"(January|February|March|April|May|June|July) \d{1,2}, 2026"
# What no page about refunds says (HIG-58).
BANNED = ["policy", "odds", "likely", "usually", "eligible", "guarantee", "chance", "final"]


def item(*names):
    def remember(check):
        CHECKS.update({name: check for name in names})
        return check
    return remember


class Sight:
    """What somebody sees."""

    def __init__(self, visitors, shop):
        self._visitors, self.shop, self._tabs = visitors, shop, {}

    def tab(self, account, *parts, locale="en-US", **query):
        """A tab of the account's at a page."""
        if (account, locale) not in self._tabs:
            self._tabs[account, locale] = self._visitors.context(
                account, viewport=size(NARROW), locale=locale).new_page()
        tab = self._tabs[account, locale]
        tab.goto(self.shop.url + path(*parts, **query))
        return tab

    def text(self, account, *parts, **query):
        tab = self.tab(account, *parts, **query)
        return " ".join(tab.locator("main").inner_text().split())

    def life(self, account):
        return subscription(self.shop, account)

    def bought(self, account, product):
        """The transaction of a customer's newest purchase of a product."""
        return next(one["transactionId"] for one in Device(self.shop, account).ask(
            "GET", "purchases")["purchases"] if one["productId"] == product)

    def close(self):
        for tab in self._tabs.values():
            tab.context.close()


@pytest.fixture(scope="module")
def sight(visitors, shop):
    sight = Sight(visitors, shop)
    yield sight
    sight.close()


@pytest.mark.parametrize("name", [
    name for name in ALL if not any(name in names for names in ELSEWHERE.values())])
def test_the_item_is_there(sight, name):
    CHECKS[name](sight)


def test_no_item_is_forgotten_or_held_twice():
    others = [name for names in ELSEWHERE.values() for name in names]
    assert sorted([*CHECKS, *others]) == sorted(ALL)


def in_first_view(node):
    box = node.bounding_box()
    return box is not None and box["y"] + box["height"] <= NARROW[1]


def names(tab, role, within="main"):
    return [" ".join(name.split()) for name in
            tab.locator(within).get_by_role(role).all_inner_texts()]


# Whatever is for sale.


@item("HIG-3")
def _(sight):
    for where in [["purchases"], ["subscriptions", sight.life("omar"), "plans"]]:
        tab = sight.tab("omar", *where)
        wrapped = tab.evaluate("""() => [...document.querySelectorAll("main h2")]
            .filter(node => node.offsetHeight > 1.9 * parseFloat(getComputedStyle(node).fontSize)
                || getComputedStyle(node).textOverflow === "ellipsis")
            .map(node => node.textContent)""")
        assert [one for one in wrapped if "<img" not in one] == []


@item("HIG-4")
def _(sight):
    for product, price in [(SEEDS, "$1.99"), (ALMANAC, "$14.99"), (PASS, "$12.99"),
                           (FLOWERS, "$4.99 per month"), (YEARLY, "$99.99 per year")]:
        assert price in sight.text("nina", "buy", product)
    # Of several the largest letters are for what all of them cost.
    total = sight.tab("nina", "buy", SEEDS, quantity=3).locator(".total")
    expect(total).to_have_text("$5.97")
    assert "3 × $1.99" in sight.text("nina", "buy", SEEDS, quantity=3)


@item("HIG-5")
def _(sight):
    for product in [SEEDS, FLOWERS]:
        tab = sight.tab("otto", "buy", product)
        assert tab.locator("main button").count() == 0
        expect(tab.locator("main")).to_contain_text("This account may not pay for anything.")


@item("HIG-6")
def _(sight):
    assert names(sight.tab("nina", "buy", FLOWERS), "button") == ["Subscribe"]
    assert names(sight.tab("nina", "buy", SEEDS), "button") == ["Buy"]


@item("HIG-7")
def _(sight):
    for product, sentence in [
            (SEEDS, "You use it up"), (ALMANAC, "once and keep it"),
            (PASS, "ends by itself and does not renew"), (FLOWERS, "renews by itself until")]:
        assert sentence in sight.text("nina", "buy", product)


@item("HIG-8", "HIG-9")
def _(sight):
    sentence = "share it with up to five others in your family"
    assert sentence in sight.text("nina", "buy", ESTATE)
    assert sentence in sight.text("nina", "buy", ALMANAC)
    assert sentence not in sight.text("nina", "buy", FLOWERS)


@item("HIG-14")
def _(sight):
    tab = sight.tab("omar", "buy", ESTATE)
    assert names(tab, "button") == []
    expect(tab.locator("main")).to_contain_text("You are subscribed to this already.")
    expect(tab.locator("main").get_by_role("link", name="Manage Subscription")).to_be_visible()


@item("HIG-15")
def _(sight):
    tab = sight.tab("omar", "subscriptions", sight.life("omar"), "plans")
    plans = [name for name in names(tab, "link") if name.startswith("Change to")]
    assert len(plans) == len(set(plans)) == 6
    assert all(re.search(r"for \$[\d.]+ per (week|month|year)$", plan) for plan in plans)


@item("HIG-16", "HIG-23")
def _(sight):
    trial = sight.text("nina", "buy", VEGETABLES)
    assert "Free for 1 month, then $4.99 per month." in trial
    assert re.search(rf"\$4.99 per month is charged by itself on {DAY}", trial)
    assert "$1.99 per month for 3 months, then $4.99 per month." in sight.text(
        "nina", "buy", FLOWERS)


@item("HIG-17")
def _(sight):
    tab = sight.tab("nina", "buy", ESTATE)
    assert tab.locator("main :is(input:not([type=hidden]), select, textarea)").count() == 0


@item("HIG-18")
def _(sight):
    tab = sight.tab("nina", "buy", ESTATE)
    for name in ["Terms and Conditions", "Privacy Policy"]:
        link = tab.locator("main").get_by_role("link", name=name)
        where = link.get_attribute("href").split("#")
        tab.goto(sight.shop.url + "#".join(where))
        expect(tab.locator(f"#{where[1]}" if len(where) > 1 else "h1")).to_be_visible()
        assert "https://garden.example/privacy" in tab.locator("main").inner_text()
        tab.go_back()


@item("HIG-19")
def _(sight):
    tab = sight.tab("omar", "subscriptions", sight.life("omar"), "plans")
    sections = tab.locator("main section")
    assert sections.count() == 7
    for section in sections.all():
        assert section.locator(".about").inner_text().strip()
        assert re.search(r"per (week|month|year)", section.inner_text())


@item("HIG-20")
def _(sight):
    life = sight.life("heidi")
    assert f"€{AFTER} per month" in sight.text("heidi", "subscriptions", life)
    german = sight.text("heidi", "subscriptions", life, "price", locale="de-DE")
    assert AFTER.replace(".", ",") + " €" in german
    assert re.search("[¥¥]", sight.text("kenji"))
    assert "ر.س." in sight.text("layla", locale="ar-SA")


@item("HIG-22")
def _(sight):
    for product in [FLOWERS, ESTATE, ALMANAC]:
        tab = sight.tab("nina", "buy", product)
        sizes = tab.evaluate("""() => {
            const size = node => parseFloat(getComputedStyle(node).fontSize);
            const prices = [...document.querySelectorAll("main *")].filter(node =>
                [...node.childNodes].some(one => one.nodeType === 3 && /[$]\\d/.test(one.data)));
            const totals = prices.filter(node => node.closest(".total"));
            const others = prices.filter(node => !node.closest(".total"));
            return {totals: totals.map(size), others: others.map(size),
                weight: totals.map(node => +getComputedStyle(node).fontWeight)};
        }""")
        assert len(sizes["totals"]) == 1 and sizes["weight"][0] >= 600
        assert sizes["totals"][0] > max(sizes["others"])


@item("HIG-25")
def _(sight):
    for where in [[], ["purchases"], ["buy", ESTATE]]:
        assert "Redeem Code" in names(sight.tab("nina", *where), "link", "nav")


# Managing, leaving and coming back.


@item("HIG-27")
def _(sight):
    ways = names(sight.tab("nina"), "link")
    assert any(way.startswith("Subscribe to") for way in ways)
    assert not any(way.startswith("Subscribe to") for way in names(sight.tab("omar"), "link"))


@item("HIG-32")
def _(sight):
    tab = sight.tab("omar")
    assert "Cancel Subscription" in names(tab, "link")
    # What is paid today, and what will be.
    prices = sight.text("omar")
    assert f"Price ${BEFORE} per month" in prices and f"Next price ${AFTER} per month" in prices
    tab.locator("main").get_by_role("link", name="Manage Subscription").click()
    assert {"Change Plan", "Cancel Subscription"} <= set(names(tab, "link"))
    assert "Purchase Help" in names(tab, "link", "nav")


@item("HIG-33")
def _(sight):
    tab = sight.tab("heidi")
    for text in ["Garden", "The Whole Garden", f"€{AFTER} per month", "June 10, 2026"]:
        assert in_first_view(tab.locator("main").get_by_text(text).first)
    assert in_first_view(tab.locator("main").get_by_role("link", name="Manage Subscription"))


@item("HIG-34")
def _(sight):
    tab = sight.tab("omar")
    assert "Manage Subscription" in names(tab, "link")
    assert {"Redeem Code", "Restore Purchases"} <= set(names(tab, "link"))
    assert "Redeem Code" in names(tab, "link", "nav")
    # Devices restore; the page of what is missing says how.
    assert "Restore Purchases" in sight.text("omar", "help", "missing")


@item("HIG-35")
def _(sight):
    text = sight.text("heidi", "subscriptions", sight.life("heidi"))
    for part in ["App Garden", "Plan The Whole Garden", f"Price €{BEFORE} per month",
                 f"Next price €{AFTER} per month", "Next billing date June 10, 2026",
                 "Change Plan", "Cancel Subscription"]:
        assert part in text


@item("HIG-36")
def _(sight):
    tab = sight.tab("omar")
    boxes = [tab.locator("main").get_by_role("link", name=name).bounding_box()
             for name in ["Manage Subscription", "Cancel Subscription"]]
    assert boxes[0]["height"] == boxes[1]["height"] >= 24
    assert in_first_view(tab.locator("main").get_by_role("link", name="Cancel Subscription"))


@item("HIG-37")
def _(sight):
    end = sight.shop.subscription("greta")["expires"]
    assert end.startswith("2026-06-10")
    tab = sight.tab("greta", "subscriptions", sight.life("greta"), "cancel")
    expect(tab.get_by_role("heading", level=1)).to_have_text("Confirm Cancellation")
    expect(tab.locator("main")).to_contain_text("You keep access until June 10, 2026.")
    assert names(tab, "button") == ["Confirm"]
    assert "Not Now" in names(tab, "link")


@item("HIG-38")
def _(sight):
    tab = sight.tab("omar", "subscriptions", sight.life("omar"), "cancel")
    confirm, offer = tab.locator("main button"), tab.locator("#offer a")
    assert offer.count() == 1
    assert confirm.bounding_box()["y"] < offer.bounding_box()["y"]
    assert in_first_view(confirm)


@item("HIG-39")
def _(sight):
    text = sight.text("lena", "subscriptions", sight.life("lena"), "resubscribe")
    for part in ["Resubscribe to Plant Doctor", "Send a photo, get a diagnosis.",
                 "$3.99 per month for 2 months, then $7.99 per month.", "Resubscribe Now"]:
        assert part in text


# Codes.


@item("HIG-41")
def _(sight):
    assert "new, current and former subscribers" in sight.text("nina", "redeem")


@item("HIG-42")
def _(sight):
    # A custom code works by its link; where it is typed the page says so.
    assert "Redeem Offer" in sight.text("nina", "redeem", "offer", code=CODE, via="url")
    tab = sight.tab("nina", "redeem")
    tab.get_by_label("Enter Code").fill(CODE)
    tab.get_by_role("button", name="Continue").click()
    expect(tab.locator("main")).to_contain_text("works in the app or by its link")


@item("HIG-44")
def _(sight):
    assert "3 to 64 letters A to Z and digits 0 to 9, such as SPRING26" in sight.text(
        "nina", "redeem", "offer", code="früh-ling")


@item("HIG-45", "HIG-47")
def _(sight):
    tab = sight.tab("nina", "redeem", "offer", code=CODE, via="url")
    text = tab.locator("main").inner_text()
    assert "Free for 1 month, then $4.99 per month." in text
    expect(tab.locator("h1")).to_have_text("Vegetable Patch")
    assert tab.locator("main img").count() == 1
    assert names(tab, "button") == ["Redeem Offer"]
    assert "Terms and Conditions" in names(tab, "link")


@item("HIG-46")
def _(sight):
    tab = sight.tab("nina", "redeem")
    field = tab.get_by_label("Enter Code", exact=True)
    assert field.get_attribute("autocomplete") == "off"
    field.evaluate("node => node.addEventListener('paste', e => window.pasted = !e.defaultPrevented)")
    field.dispatch_event("paste")
    assert tab.evaluate("window.pasted")
    assert tab.locator("main img").count() == 1
    assert "Terms and Conditions" in names(tab, "link")


@item("HIG-48")
def _(sight):
    tab = sight.tab("nina", "redeem", "offer", code=CODE, via="url")
    assert tab.locator("main img").get_attribute("alt") == "Icon of Garden"


@item("HIG-50")
def _(sight):
    tab = sight.tab("nina", "redeem", code=CODE)
    expect(tab.get_by_label("Enter Code", exact=True)).to_have_value(CODE)
    tab.get_by_role("button", name="Continue").click()
    expect(tab.get_by_role("button", name="Redeem Offer")).to_be_visible()
    assert Device(sight.shop, "nina").subscriptions() == []


# Help, refunds, the history.


@item("HIG-51")
def _(sight):
    tab = sight.tab("omar", "help")
    expect(tab.locator("main")).to_contain_text("How can we help?")
    assert names(tab, "link") == [
        "Missing a Purchase", "Frequently Asked Questions", "Request a Refund", "Submit Feedback",
        "Contact Us"]


@item("HIG-52")
def _(sight):
    links = names(sight.tab("omar", "purchases"), "link")
    assert {name for name in links if "efund" in name} == {"Request a Refund"}


@item("HIG-53")
def _(sight):
    for section in sight.tab("omar", "purchases").locator("main section").all():
        assert section.locator("img[alt]").count() == 1
        assert section.locator("h2").inner_text() and section.locator(".ware p").count() == 2
        assert re.search(rf"Original purchase date\s+{DAY}", section.inner_text())


@item("HIG-54")
def _(sight):
    assert "Request a Refund" in names(sight.tab("omar", "help"), "link")


@item("HIG-55")
def _(sight):
    tab = sight.tab("omar", "purchases")
    link = tab.get_by_role("link", name="Request a Refund").first
    assert in_first_view(link)
    link.click()
    assert tab.locator("main input[type=radio]").count() == 5


@item("HIG-56")
def _(sight):
    tab = sight.tab("omar", "purchases", sight.bought("omar", ALMANAC), "refund")
    expect(tab.locator("h1")).to_have_text("Request a Refund")
    text = " ".join(tab.locator("main").inner_text().split())
    for part in ["The Almanac", "Garden", "$14.99", "January 10, 2026", "Account omar",
                 "You may lose access to this purchase."]:
        assert part in text
    assert tab.locator("main img").count() == 1
    radios = tab.locator("main input[type=radio]")
    assert radios.count() == 5 and not any(one.is_checked() for one in radios.all())
    assert names(tab, "button") == ["Request Refund"] and "Not Now" in names(tab, "link")


@item("HIG-57")
def _(sight):
    seeds = sight.bought("omar", SEEDS)
    text = sight.text("omar", "purchases", seeds, "claim")
    for part in ["Your request was submitted.", f"news at {ADDRESS} within 48 hours", "Submitted",
                 "Under Purchases you follow", "Done"]:
        assert part in text
    assert "Submitted" in sight.text("omar", "purchases")


@item("HIG-58")
def _(sight):
    almanac, seeds = sight.bought("omar", ALMANAC), sight.bought("omar", SEEDS)
    for where in [["purchases"], ["purchases", almanac, "refund"], ["purchases", seeds, "claim"],
                  ["help"], ["help", "questions"], ["help", "contact"]]:
        text = sight.text("omar", *where).lower()
        assert not [word for word in BANNED if word in text]


# The family.


@item("HIG-59")
def _(sight):
    member = sight.text("mia", "family")
    assert "Welcome. What your family shares includes The Whole Garden." in member
    assert "omar pays for it" in member
    organiser = sight.text("omar", "family")
    assert "Welcome" not in organiser and "You organise this family" in organiser


@item("HIG-60")
def _(sight):
    assert "is shared with you" in sight.text("mia", "mailbox")


@item("FAM-P1")
def _(sight):
    text = sight.text("omar", "family")
    for part in ["Asked by mia", "$1.99", "Time left", "Approve", "Decline", "Members", "nils",
                 "Ask to Buy for mia", "Shared with mia, nils", "Stop Sharing"]:
        assert part in text
    tab = sight.tab("mia", "family")
    assert names(tab, "button") == ["Save"]
    # Whoever asks first buys nothing yet.
    assert names(sight.tab("mia", "buy", BOX), "button") == ["Ask to Buy"]
    tab = sight.tab("mia")
    tab.locator("main").get_by_role("link", name="Manage Subscription").click()
    text = tab.locator("main").inner_text()
    assert "omar pays for this subscription" in text and "Cancel" not in text
    assert names(tab, "button") == []


# The sheet about a higher price: Heidi is asked, Omar told.


def sheet(sight, account):
    return sight.tab(account, "subscriptions", sight.life(account), "price")


def both_sheets(sight):
    for account, sign in [("heidi", "€"), ("omar", "$")]:
        tab = sheet(sight, account)
        yield tab, sign, " ".join(tab.locator("main").inner_text().split())


@item("PI-1")
def _(sight):
    for tab, _, _ in both_sheets(sight):
        expect(tab.locator("h1")).to_have_text("Subscription Price Increase")


@item("PI-2")
def _(sight):
    for _, sign, text in both_sheets(sight):
        assert f"{sign}{BEFORE} per month" in text
        assert f"New price {sign}{AFTER} per month" in text


@item("PI-3")
def _(sight):
    for _, _, text in both_sheets(sight):
        assert "From June 10, 2026" in text


@item("PI-4")
def _(sight):
    for tab, _, _ in both_sheets(sight):
        tab.get_by_role("link", name="Review or Cancel Subscription").click()
        assert "Cancel Subscription" in names(tab, "link")


@item("PI-5", "PI-8")
def _(sight):
    assert "Agree to New Price" in names(sheet(sight, "heidi"), "button")
    assert "OK" not in names(sheet(sight, "heidi"), "button")
    assert names(sheet(sight, "omar"), "button") == ["OK"]


@item("PI-6")
def _(sight):
    assert names(sheet(sight, "heidi"), "button") == ["Agree to New Price", "Do Not Agree"]


@item("PI-7")
def _(sight):
    before = Device(sight.shop, "heidi").ask("GET", "messages")
    tab = sheet(sight, "heidi")
    tab.get_by_role("link", name="Not Now").click()
    expect(tab.locator("h1")).to_have_text("Subscriptions")
    assert Device(sight.shop, "heidi").ask("GET", "messages") == before


@item("PI-12")
def _(sight):
    for account in ["omar", "heidi"]:
        before = Device(sight.shop, account).ask("GET", "in-app-messages")
        assert before["messages"]
        sheet(sight, account)
        assert Device(sight.shop, account).ask("GET", "in-app-messages") == before


@item("PI-13")
def _(sight):
    (_, _, asked), (_, _, told) = both_sheets(sight)
    assert "Without your agreement The Whole Garden ends on June 10, 2026" in asked
    assert "You need do nothing." in told and "cancel before June 10, 2026" in told
