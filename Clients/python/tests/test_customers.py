"""What customers do, and what an operator does to them."""

from datetime import timedelta

import pytest

from perennial_testing import Pending, StoreError


def test_a_customer_buys_and_renews(customer, advance):
    bought = customer.buy(
        "pro.monthly", app_account_token="0d3c7d4e-52a9-4c0c-9c7a-2c8c0c1f8a55")
    assert (bought.product, bought.payload["price"]) == ("pro.monthly", 9990)
    assert bought.payload["appAccountToken"] == "0d3c7d4e-52a9-4c0c-9c7a-2c8c0c1f8a55"
    advance("P1M")
    assert len(customer.transactions()) == 2
    renewed = customer.subscription()
    assert renewed.original_id == bought.id != renewed.transaction.id
    assert renewed.entitled and renewed.renews and renewed.status == 1
    assert renewed.renewal["autoRenewStatus"] == 1


def test_what_is_no_subscription_has_no_end(customer):
    coins = customer.buy("coins", quantity=3)
    assert (coins.expires, coins.payload["quantity"]) == (None, 3)
    customer.finish(coins)
    customer.buy("lifetime")
    assert customer.entitlements() == ["lifetime"]


@pytest.mark.parametrize("product, error", [
    ("nothing", "unknownProduct"), ("pro.monthly", "paymentDeclined")])
def test_a_purchase_is_refused_with_the_store_s_word(customer, product, error):
    customer.payment_method("decline")
    with pytest.raises(StoreError, match=error) as refused:
        customer.buy(product)
    assert refused.value.error == error
    assert customer.subscriptions() == []


def test_a_payment_method_declines_so_often(customer):
    customer.payment_method("decline", count=1)
    with pytest.raises(StoreError, match="paymentDeclined"):
        customer.buy("coins")
    customer.buy("coins")


def test_what_is_not_charged_yet_is_pending(customer):
    customer.payment_method("later")
    with pytest.raises(Pending) as pending:
        customer.buy("pro.monthly")
    assert pending.value.reply["billId"]


def test_a_code_is_redeemed(store, customer):
    code = store.offer_code("basic.monthly", "SPRING", "TULIPS")
    redeemed = customer.redeem(code)
    assert (redeemed.payload["offerIdentifier"], redeemed.payload["price"]) == ("SPRING", 0)
    with pytest.raises(StoreError, match="unknownCode"):
        customer.redeem("NETTLES")


def test_plans_change_now_or_with_the_renewal(customer, advance):
    customer.buy("basic.monthly")
    advance("P1D")
    assert customer.change_plan("pro.monthly").product == "pro.monthly"
    waiting = customer.change_plan("basic.monthly")
    assert (waiting.product, waiting.next_product) == ("pro.monthly", "basic.monthly")
    advance("P1M")
    assert customer.subscription().product == "basic.monthly"


def test_cancelling_ends_with_the_period_unless_resumed(customer, advance):
    customer.buy("pro.monthly")
    assert not customer.cancel().renews
    assert customer.resume().renews
    assert not customer.cancel().renews
    assert customer.subscription().entitled
    advance("P1M")
    assert customer.subscription().status == 2


def test_without_a_subscription_there_is_nothing_to_change(customer):
    with pytest.raises(LookupError, match="0 subscriptions"):
        customer.cancel()


def test_refunds_are_asked_for_given_and_reversed(store, customer, notifications):
    bought = customer.buy("pro.monthly")
    customer.request_refund(bought, "UNSATISFIED_WITH_PURCHASE")
    notifications.wait_for("CONSUMPTION_REQUEST")
    store.advance("P2D")
    assert notifications.wait_for("REFUND").transaction.payload["revocationDate"]
    store.reverse_refund(bought)
    notifications.wait_for("REFUND_REVERSED")
    store.refund(bought, "prorated")
    refund = notifications.wait_for("REFUND").transaction
    assert 90_000 < refund.payload["revocationPercentage"] < 100_000


@pytest.mark.parametrize("answer, subtype, price", [
    ("agree", "ACCEPTED", 19_990), ("decline", "PENDING", 9_990)])
def test_a_price_increase_is_answered(store, customer, notifications, answer, subtype, price):
    customer.buy("pro.monthly")
    store.set_price("pro.monthly", "19.99", existing="apply",
                    start=store.now() + timedelta(days=1))
    store.advance("P5D")
    customer.answer_price_increase(answer)
    notifications.wait_for("PRICE_INCREASE", subtype)
    store.advance("P1M")
    assert customer.transactions()[-1].payload["price"] == price
    assert customer.subscription().entitled == (answer == "agree")


def test_a_family_shares_until_a_member_leaves(store):
    ada, ben = store.customer("ada"), store.customer("ben")
    ada.buy("pro.monthly")
    store.family(ada, ben)
    assert ben.entitlements() == ["pro.monthly"]
    ben.leave_family()
    assert ben.entitlements() == []


def test_every_other_call_is_within_reach(store):
    ada = store.customer("ada/änne", storefront="DEU", locale="de_DE")
    assert ada.storefront("GET", "/products", id="coins")["products"][0]["id"] == "coins"
    assert store.connect("GET", "/customers", limit=1)["customers"][0]["storefront"] == "DEU"
    ada.payment_method("decline")
