"""What whoever runs a merchant does, by clicks alone."""

import pytest
from merchant_people import HOSTILE_WORDS
from playwright.sync_api import expect
from world import ESTATE, VEGETABLES

# The merchant sends and calls nothing for a price of App Store Connect: no other test notices it.
ESTATES = """campaign: estates
app: {app}
kind: price
route: appStoreConnect
from: 2026-10-01
prices:
- product: {product}
  period: P1M
  to: {{USA: "{price}"}}
"""


@pytest.fixture(params=[True, False], ids=["with script", "without script"])
def desk(request, people, pair):
    """Somebody at the merchant's console."""
    context = people.operator(script=request.param)
    tab = context.new_page()
    tab.goto(pair.shop_url + "/console")
    yield tab
    context.close()


def goes_to(tab, *names):
    """By the navigation: a group, and one of its pages."""
    for name in names:
        tab.locator("nav").get_by_role("link", name=name, exact=True).first.click()


def follows(tab, name):
    tab.locator("main").get_by_role("link", name=name, exact=True).first.click()


def heading(tab):
    return tab.get_by_role("heading", level=1)


def test_a_customer_is_found_and_the_why_is_read_down_to_the_notification(desk):
    tab = desk
    goes_to(tab, "Customers")
    tab.get_by_label("Name begins with").fill("ann")
    tab.get_by_role("button", name="Show").click()
    follows(tab, "anna")
    expect(heading(tab)).to_have_text("anna")
    expect(tab.locator("#entitlements")).to_contain_text("active")
    main = tab.locator("main")
    expect(main).to_contain_text("upgraded to com.example.garden.estate.monthly")
    expect(main).to_contain_text("DID_CHANGE_RENEWAL_PREF/UPGRADE")
    expect(tab.locator("figure svg[role=img]:visible").last).to_be_visible()
    follows(tab, "All events, with a filter")
    expect(main).to_contain_text("DID_RENEW")
    tab.get_by_label("Environment").select_option("Sandbox")
    tab.get_by_role("button", name="Show").click()
    expect(main).to_contain_text("Nothing is known.")


def test_why_somebody_has_no_access_is_said(desk):
    tab = desk
    goes_to(tab, "Customers")
    tab.get_by_label("Access").select_option("ended")
    tab.get_by_role("button", name="Show").click()
    follows(tab, "emil")
    expect(tab.locator("#entitlements")).to_contain_text("refunded")
    expect(tab.locator("main")).to_contain_text("REFUND")


def test_a_dead_letter_is_read_and_replayed_and_says_that_it_failed_again(desk, pair):
    tab = desk
    before = pair.merchant_call("GET", "/v1/operator/dead-letters")
    goes_to(tab, "Intake", "Dead letters")
    number = str(before["deadLetters"][1]["id"])
    follows(tab, number)
    expect(tab.locator("main")).to_contain_text("wrongSignature")
    tab.get_by_role("button", name="Process it again").click()
    expect(tab.locator("main")).to_contain_text("It was tried again.")
    expect(tab.locator("main")).to_contain_text("wrongSignature")
    assert tab.url.split("?")[0].endswith(f"/dead-letters/{number}")
    assert pair.merchant_call("GET", "/v1/operator/dead-letters") == before


def test_a_purchase_nobody_owns_is_claimed_once(desk, pair):
    tab = desk
    goes_to(tab, "Purchases")
    first = tab.locator("main tbody a").first
    purchase = first.text_content()
    first.click()
    account = f"finder-{purchase}"
    tab.get_by_label("Account", exact=True).fill(account)
    address = tab.url
    tab.get_by_role("button", name="Give it to the account").click()
    expect(heading(tab)).to_have_text(account)
    expect(tab.locator("main")).to_contain_text("The account has it now.")
    expect(tab.locator("main")).to_contain_text(VEGETABLES)
    assert pair.app_call("GET", account)["entitlements"][0]["granted"]
    # Somebody else does not get it.
    tab.goto(address)
    tab.get_by_label("Account", exact=True).fill("a-thief")
    tab.get_by_role("button", name="Give it to the account").click()
    expect(tab.get_by_role("alert")).to_be_visible()
    expect(tab.locator("main")).to_contain_text("ownedByAnother")
    follows(tab, "Back")
    expect(tab.get_by_label("Account", exact=True)).to_have_value("a-thief")


def test_a_campaign_is_read_from_its_plan_to_its_texts_in_each_language(desk):
    tab = desk
    goes_to(tab, "Campaigns")
    follows(tab, "spring")
    expect(heading(tab)).to_contain_text("spring")
    expect(tab.locator("#plan")).to_contain_text("The subscriber must agree.")
    follows(tab, "What it says in each language")
    main = tab.locator("main")
    for title in ["Mail, every other language", "Mail, de", "Price sheet, every other language",
                  "Push, every other language"]:
        assert main.get_by_role("heading", name=title).count() == 1, title
    mails = tab.locator("iframe").all()
    assert len(mails) == 2
    texts = [one.content_frame.locator("body").text_content() for one in mails]
    assert any("You pay 4.99 USD now" in text for text in texts), texts
    assert any("Sie zahlen" in text for text in texts), texts
    # What a mail says is text there too, and shut off.
    assert any(HOSTILE_WORDS in text for text in texts)
    assert all(one.get_attribute("sandbox") == "" for one in mails)
    assert [one.content_frame.locator("img, script").count() for one in mails] == [0, 0]


def test_each_number_of_a_campaign_leads_to_those_whom_it_counts(desk):
    tab = desk
    goes_to(tab, "Campaigns")
    follows(tab, "spring")
    tab.locator("#plan").get_by_role("link", name="3", exact=True).click()
    expect(heading(tab)).to_have_text("Subscribers")
    expect(tab.locator("main tbody tr")).to_have_count(3)
    expect(tab.locator("main tbody")).to_contain_text("tina")
    follows(tab, "tina")
    expect(heading(tab)).to_have_text("tina")


def test_revenue_opens_to_its_transactions(desk):
    tab = desk
    goes_to(tab, "Figures")
    tab.get_by_label("Days").fill("300")
    tab.get_by_role("button", name="Show").click()
    day = tab.locator("#revenue tbody a").last
    name = day.text_content()
    day.click()
    expect(heading(tab)).to_have_text(f"Transactions of {name}")
    assert tab.locator("main tbody tr").count() >= 1


def test_gaps_are_looked_for_and_what_was_found_is_said(desk):
    tab = desk
    goes_to(tab, "Intake", "Gaps")
    tab.get_by_role("button", name="Heal").click()
    expect(tab.locator("main")).to_contain_text("The store was asked.")
    expect(tab.locator("main table")).to_contain_text("com.example.app")


def test_a_price_campaign_is_begun_from_a_pasted_file_by_its_name(people, pair):
    context = people.operator()
    tab = context.new_page()
    tab.goto(pair.shop_url + "/console")
    goes_to(tab, "Campaigns")
    follows(tab, "Begin a campaign")
    main, alert = tab.locator("main"), tab.get_by_role("alert")
    # The page names the mistake and keeps the text.
    file = tab.get_by_label("The campaign's file (YAML)", exact=True)
    wrong = ESTATES.format(app=pair.app, product=ESTATE, price="10.999")
    file.fill(wrong)
    tab.get_by_role("button", name="Check and plan").click()
    expect(alert).to_contain_text("The file cannot be planned yet.")
    expect(main.locator("tbody")).to_contain_text("prices in USD have at most 2")
    expect(file).to_have_value(wrong)
    file.fill(wrong.replace("10.999", "10.99"))
    tab.get_by_role("button", name="Check and plan").click()
    # The plan's counts add up to its audience.
    expect(heading(tab)).to_have_text("Plan of estates")
    expect(tab.locator("#sample tbody tr", has_text="anna")).to_contain_text("10.99")
    counts = main.locator("table").first.locator("tbody td:last-child").all_inner_texts()
    audience = main.locator(".facts div", has_text="Audience").locator("dd").inner_text()
    assert sum(map(int, counts)) == int(audience) > 1
    follows(tab, "Rehearse it")
    tab.get_by_role("button", name="Rehearse it").click()
    expect(tab.locator("#report")).to_contain_text("Result")
    follows(tab, "Plan of estates")
    # Only the campaign's own name begins it.
    name = tab.get_by_label("The campaign's name", exact=True)
    follows(tab, "Begin the campaign…")
    name.fill("estate")
    tab.get_by_role("button", name="Begin the campaign").click()
    expect(alert).to_contain_text("Nothing was begun")
    begun = "/v1/operator/campaigns?campaign=estates"
    assert pair.merchant_call("GET", begun)["campaigns"] == []
    follows(tab, "Back")
    name.fill("estates")
    tab.get_by_role("button", name="Begin the campaign").click()
    expect(main).to_contain_text("The campaign has begun.")
    expect(heading(tab)).to_contain_text("running")
    [run] = pair.merchant_call("GET", begun)["campaigns"]
    assert run["state"] == "running"
    context.close()


def test_a_campaign_is_stopped_only_after_a_question(people, pair):
    context = people.operator()
    tab = context.new_page()
    address = f"{pair.shop_url}/console/campaigns/{pair.app}/outage"
    state = f"/v1/apps/{pair.app}/campaigns/outage"
    tab.goto(address)
    for link, then in [
            ("Pause the campaign", "paused"), ("Resume the campaign", "running")]:
        before = pair.merchant_call("GET", state)["state"]
        follows(tab, link)
        assert pair.merchant_call("GET", state)["state"] == before
        tab.locator("main").get_by_role("button", name=link).click()
        expect(tab.locator("main")).to_contain_text("The campaign was moved.")
        assert pair.merchant_call("GET", state)["state"] == then
    follows(tab, "Stop the campaign")
    follows(tab, "Back")
    assert pair.merchant_call("GET", state)["state"] == "running"
    context.close()
