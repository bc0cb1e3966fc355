"""What a merchant describes itself is on the pages as the command line says it.

Before the stories in which years go by.
"""

from playwright.sync_api import expect
from world import HOSTILE_ITEM


def test_the_next_bill_and_what_changes_are_what_the_command_line_says(operator, production):
    bill = production.json("subscription", "next-bill", "tina")
    assert bill["outcome"] == "charge" and len(bill["lines"]) > 1
    operator.opens_subscription("tina")
    table = operator.tab.locator("#next-bill")
    for line in bill["lines"]:
        expect(table).to_contain_text(line["sku"])
        expect(table).to_contain_text(f"${line['amount'] / 1000:.2f}")
    expect(table).to_contain_text(f"${bill['amount'] / 1000:.2f}")
    changes = operator.tab.locator("#changes tbody tr")
    expect(changes).to_have_count(len(bill["changes"]))
    asked = [one for one in bill["changes"] if one.get("status")]
    assert asked and asked[0]["dependentSkus"] == ["lawns"]
    expect(operator.tab.locator("#changes")).to_contain_text("with it end lawns")


def test_every_request_is_listed_and_every_item_has_its_lane(operator, production):
    made = production.json("ac", "requests", "tina")["requests"]
    assert [one["operation"] for one in made[:3]] == [
        "createSubscription", "modifySubscription", "changeMetadata"]
    operator.opens_subscription("tina")
    expect(operator.tab.locator("#requests tbody tr")).to_have_count(len(made))
    for one in made:
        expect(operator.tab.locator("#requests")).to_contain_text(one["requestReferenceId"])
    drawing = operator.tab.locator("figure svg[role=img]:visible")
    expect(drawing).to_have_count(1)
    for sku in ["wild.roses", "herbs", "hedges", "ponds", "lawns", HOSTILE_ITEM]:
        expect(drawing.locator("text").filter(has_text=sku)).to_have_count(1)
