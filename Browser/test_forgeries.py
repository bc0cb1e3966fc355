"""A forged proof is made of a purchase that is chosen, and stands there to be copied."""

import re

TEXT = "#text pre code"


def test_one_is_made_of_the_purchase_that_is_named(operator):
    life = operator.environment.subscription("anna")["originalTransactionId"]
    operator.goes_to("Forgeries")
    operator.follows("transaction-replayed")
    operator.sees("A server has to look by itself.")
    assert operator.tab.locator(TEXT).count() == 0
    operator.fills_in("Transaction", life)
    operator.pushes("Make it")
    text = operator.tab.locator(TEXT).first.text_content()
    first = operator.tab.locator("#first pre code").first.text_content()
    for one in [text, first]:
        assert re.fullmatch(r"[\w-]+\.[\w-]+\.[\w-]+", one)
    assert text != first
    operator.tab.get_by_text("What it says").last.click()
    operator.sees(f'"transactionId": "{life}"')


def test_a_purchase_that_is_not_there_is_said_beside_its_field(operator):
    operator.goes_to("Forgeries")
    operator.follows("transaction-genuine")
    operator.fills_in("Transaction", "7")
    operator.pushes("Make it")
    operator.sees("There is no transaction 7 here.")
    assert operator.tab.get_by_label("Transaction", exact=True).input_value() == "7"
