"""Offers, codes, families, requests to buy and mails, by clicks alone: with script and without.

Afterwards the command line says the same.
"""

import csv
import re
import urllib.parse

import pytest
from browser import path
from playwright.sync_api import expect
from story import NUMBERS
from world import ESTATE, GARDEN, VEGETABLES

VEGETABLES_YEARLY = GARDEN + "vegetables.yearly"


def name(what):
    return f"{what}-{next(NUMBERS)}"


def opens_new_offer(operator, product, kind):
    operator.goes_to("Catalogue")
    operator.follows(product)
    operator.follows("All offers, and new ones")
    operator.follows(kind)


def offer_of(production, product, identifier):
    [found] = [
        one for one in production.json("offer", "list", product)["offers"]
        if one.get("id") == identifier]
    return found


# Offers and codes.


def test_an_offer_is_made_and_ended(operator, production):
    offer = name("spring")
    opens_new_offer(operator, ESTATE, "Promotional offer")
    operator.fills_in("Identifier", offer)
    operator.chooses("How it is paid", "PAY_AS_YOU_GO")
    operator.fills_in("Number of periods", "3")
    operator.fills_in("Price with the offer", "99.99")
    operator.fills_in("Storefronts", "usa")
    operator.pushes("Make the offer")
    # Dearer than the plan: the page says so beside the field, and keeps what was typed.
    expect(operator.tab.get_by_label("Price with the offer", exact=True)).to_have_attribute(
        "aria-invalid", "true")
    expect(operator.tab.get_by_label("Identifier", exact=True)).to_have_value(offer)
    operator.fills_in("Price with the offer", "2.99")
    operator.does("Make the offer")
    operator.sees_heading(offer)
    operator.sees("$2.99 each month, 3 times")
    made = offer_of(production, ESTATE, offer)
    assert (made["price"], made["periodCount"], made["storefronts"]) == (2990, 3, ["USA"])
    operator.does("End this offer", "End the offer")
    operator.sees("The offer has ended")
    assert offer_of(production, ESTATE, offer)["ends"] == production.now()


def test_codes_are_made_handed_out_and_ended(operator, production, tmp_path):
    offer = name("CODES")
    opens_new_offer(operator, VEGETABLES, "Offer with codes")
    operator.fills_in("Identifier", offer)
    operator.ticks("Who never subscribed redeems its codes")
    operator.does("Make the offer")
    operator.sees_heading(offer)
    operator.fills_in("How many", "4")
    operator.does("Make codes", "Make the codes")
    operator.sees_heading("4 one-time codes")
    with operator.tab.expect_download() as download:
        operator.follows("Download the codes as CSV")
    download.value.save_as(tmp_path / "codes.csv")
    with (tmp_path / "codes.csv").open(newline="") as file:
        codes = [row[0] for row in csv.reader(file)]
    assert len(set(codes)) == 4
    production("redeem", codes[0], "--account", name("reader"))
    operator.goes_to("Codes")
    operator.fills_in("Offer", offer)
    operator.pushes("Show")
    row = operator.tab.get_by_role("row").filter(has_text=offer)
    expect(row.get_by_role("cell").nth(2)).to_have_text("1")
    operator.follows("4 one-time codes")
    operator.does("End these codes", "End the codes")
    operator.sees("Nobody redeems them any more")
    with pytest.raises(Exception, match="no longer good"):
        production("redeem", codes[1], "--account", name("reader"))


# Families.


def holders(production, account):
    """Who has what a family shares."""
    [purchase] = production.json("family", "show", account)["purchases"]
    return [one["account"] for one in purchase["sharedWith"]]


def test_a_family_shares_and_parts(operator, production, customer):
    families = production.json("family", "list", "--limit", 500)["families"]
    organiser, member, child = customer(ESTATE), name("member"), name("child")
    for account in [member, child]:
        production("customer", "set", account, "--asks-to-buy", "off")
    operator.looks_up(organiser)
    operator.follows("Make a family")
    expect(operator.tab.get_by_label("Organiser", exact=True)).to_have_value(organiser)
    operator.fills_in("Members", member)
    operator.previews()
    operator.sees(f"shared with {member}")
    assert production.customer(member)["subscriptions"] == []
    operator.tab.get_by_role("region", name="What it will do").get_by_role("button").click()
    operator.sees_heading(f"Family of {organiser}")
    shared = production.json("family", "show", organiser)
    assert [one["account"] for one in shared["members"]] == [organiser, member]
    assert holders(production, organiser) == [member]
    operator.follows("Add somebody")
    operator.fills_in("Account", child)
    operator.previews()
    operator.pushes("Add somebody")
    operator.sees("3 of 6")
    operator.tab.get_by_role("row").filter(has_text=member).get_by_role(
        "link", name="Remove").click()
    operator.pushes("Remove from the family")
    operator.sees("2 of 6")
    assert holders(production, organiser) == [child]
    operator.follows("End the family")
    operator.sees(f"no longer shared with {child}")
    operator.pushes("End the family")
    operator.sees_heading("Families")
    assert production.json("family", "list", "--limit", 500)["families"] == families
    assert production.subscription(organiser)["entitled"] is True


# Requests to buy.


def test_a_child_asks_and_somebody_approves(operator, production):
    child = name("child")
    production("customer", "set", child, "--asks-to-buy", "off")
    operator.looks_up(child)
    operator.chooses("Asks before each purchase", "true")
    operator.pushes("Save the account")
    operator.sees("The account is saved.")
    assert production.customer(child)["asksToBuy"] is True
    operator.chooses("Product", ESTATE)
    operator.previews()
    operator.pushes(f"Buy {ESTATE}")
    operator.sees("it waits for somebody to approve it")
    assert production.customer(child)["subscriptions"] == []
    operator.goes_to("Requests")
    operator.fills_in("Customer", child)
    operator.chooses("State", "waiting")
    operator.pushes("Show")
    operator.follows(ESTATE)
    operator.sees("SUBSCRIBED/INITIAL_BUY")
    operator.pushes("Approve")
    operator.sees("It was approved, and bought.")
    assert production.subscription(child)["productId"] == ESTATE


# Mails.


def test_a_mail_is_found_read_and_kept(operator, production):
    account = f"{name('writer')}@example.com"
    production("buy", ESTATE, "--account", account)
    [receipt] = [
        one for one in production.json("mailbox", "--account", account)["mails"]
        if one["kind"] == "receipt"]
    operator.looks_up(account)
    operator.follows("Mailbox")
    operator.chooses("Kind", "receipt")
    operator.pushes("Show")
    operator.follows(receipt["subject"])
    operator.sees_heading(receipt["subject"])
    operator.sees("kept here")
    frame = operator.tab.frame_locator("iframe")
    expect(frame.locator("h1")).to_contain_text(receipt["subject"])
    expect(frame.locator("body")).to_contain_text("$9.99")
    with operator.tab.expect_download() as download:
        operator.follows("Download as .eml")
    assert download.value.suggested_filename == f"mail-{receipt['id']}.eml"
    kept = download.value.path().read_bytes()
    assert kept.decode().split() == production("mailbox", receipt["id"], "--eml").split()


def test_a_mail_can_do_nothing_to_the_console(operator, production, script):
    account = f"{name('writer')}@example.com"
    production("buy", ESTATE, "--account", account)
    mail = production.json("mailbox", "--account", account)["mails"][0]["id"]
    operator.tab.goto(production.url + path("mailbox", mail))
    [frame] = [one for one in operator.tab.frames if one.parent_frame]
    # Its origin is nobody's, so it reads no cookie and reaches no page; styles of its own hold.
    assert frame.evaluate("self.origin") == "null"
    assert frame.evaluate("getComputedStyle(document.querySelector('h1')).marginTop") == "0px"
    if script:
        assert frame.evaluate("""() => {
            try { return parent.document.title } catch (error) { return error.name }
        }""") == "SecurityError"
    opened = operator.tab.request.get(production.url + path("mailbox", mail, "sheet"))
    assert opened.headers["content-security-policy"].endswith("; sandbox")


# What is sold where.


def test_a_product_goes_off_sale_and_comes_back(operator, production):
    def is_for_sale():
        return production.json("price", "list", VEGETABLES_YEARLY)["prices"][0]["forSale"]

    assert is_for_sale()
    operator.goes_to("Catalogue")
    operator.follows(VEGETABLES_YEARLY)
    operator.does("Set where it is for sale")
    operator.sees("Where it is for sale is set.")
    assert not is_for_sale()
    expect(operator.tab.get_by_role("button", name=re.compile("Delete"))).to_be_visible()
    operator.does("Set where it is for sale")
    assert is_for_sale()
    assert urllib.parse.urlsplit(operator.tab.url).path.endswith(VEGETABLES_YEARLY)
