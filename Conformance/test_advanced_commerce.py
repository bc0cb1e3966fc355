"""What a merchant describes itself, as Apple's library signs and reads it."""

import uuid

import pytest
from appstoreserverlibrary.models.AdvancedCommerceOffer import AdvancedCommerceOffer
from appstoreserverlibrary.models.AdvancedCommerceOfferPeriod import AdvancedCommerceOfferPeriod
from appstoreserverlibrary.models.AdvancedCommerceOfferReason import AdvancedCommerceOfferReason
from appstoreserverlibrary.models.AdvancedCommercePriceIncreaseInfoStatus import (
    AdvancedCommercePriceIncreaseInfoStatus as Increase)
from appstoreserverlibrary.models.AdvancedCommerceSubscriptionCancelRequest import (
    AdvancedCommerceSubscriptionCancelRequest)
from appstoreserverlibrary.models.AdvancedCommerceSubscriptionPriceChangeItem import (
    AdvancedCommerceSubscriptionPriceChangeItem)
from appstoreserverlibrary.models.AdvancedCommerceSubscriptionPriceChangeRequest import (
    AdvancedCommerceSubscriptionPriceChangeRequest)
from appstoreserverlibrary.models.AutoRenewStatus import AutoRenewStatus
from conftest import Garden, name
from merchant import (
    CHARGE, EVERYTHING, CallRefused, Merchant, bundle, charge, info, item, whole)
from perennial import BOTH, PAPER, Perennial
from story import Refused


@pytest.fixture(scope="module")
def store(listener):
    with Perennial(catalogue=PAPER) as server:
        yield server


@pytest.fixture(params=BOTH, ids=lambda environment: environment.value)
def paper(request, store, listener):
    """A merchant's store, seen from one environment, where everything is held against Apple's
    models."""
    garden = Garden(store, listener, request.param)
    garden.operator.listen(listener, *BOTH)
    garden.merchant = Merchant(store, garden.developer)
    garden.merchant.generic(EVERYTHING, CHARGE)
    garden.arrivals()
    return garden


def arrivals(paper, bought):
    """The notifications that came about a purchase; all that came are held against Apple's models
    as a whole."""
    paper.operator.settle()
    signed = paper.listener.take_arrivals(paper.environment)
    for one in signed:
        whole("signedPayload", one)
    told = [paper.developer.notification(one) for one in signed]
    return [one for one in told
            if paper.told(one).originalTransactionId == bought.originalTransactionId]


def names(paper, bought):
    """What came: `PRICE_INCREASE/PENDING`."""
    return [name(one) for one in arrivals(paper, bought)]


def prices(*changes):
    """A request to change prices: SKU, price, and what depends on it."""
    return AdvancedCommerceSubscriptionPriceChangeRequest(
        requestInfo=info(), currency="USD",
        items=[AdvancedCommerceSubscriptionPriceChangeItem(
            SKU=sku, price=price, dependentSKUs=list(dependents) or None)
            for sku, price, *dependents in changes])


def test_a_bundle_that_apples_library_signed(paper):
    offer = AdvancedCommerceOffer(
        period=AdvancedCommerceOfferPeriod.P1M, periodCount=1, price=990,
        reason=AdvancedCommerceOfferReason.ACQUISITION)
    customer = paper.customer()
    token = uuid.uuid4()
    request = bundle(
        item("news", 9_990), item("chess", 2_990, offer=offer),
        requestInfo=info(appAccountToken=token))
    bought = paper.merchant.sells(customer, request)
    assert bought.productId == EVERYTHING
    assert bought.price == 10_980
    assert bought.appAccountToken == str(token)
    assert [one.SKU for one in bought.advancedCommerceInfo.items] == ["news", "chess"]
    assert [one.price for one in bought.advancedCommerceInfo.items] == [9_990, 2_990]
    assert bought.advancedCommerceInfo.items[1].offer == offer
    assert bought.advancedCommerceInfo.descriptors.displayName == "The paper"
    # Signed once more, the same request finds what was bought.
    again = paper.merchant.sells(customer, request)
    assert again.transactionId == bought.transactionId
    [subscribed] = arrivals(paper, bought)
    assert subscribed.rawNotificationType == "SUBSCRIBED"
    renewal = paper.developer.renewal_info(subscribed.data.signedRenewalInfo)
    # From the renewal on 12.98.
    assert renewal.renewalPrice == 12_980
    assert [one.price for one in renewal.advancedCommerceInfo.items] == [9_990, 2_990]
    assert renewal.advancedCommerceInfo.consistencyToken.split(".")[1] == bought.transactionId
    paper.operator.wait(paper.month)
    renewed = arrivals(paper, bought)
    assert renewed[0].rawNotificationType == "DID_RENEW"
    assert paper.told(renewed[0]).price == 12_980
    [group] = paper.developer.get_all_subscription_statuses(bought.transactionId).data
    [last] = group.lastTransactions
    assert whole("signedRenewalInfo", last.signedRenewalInfo)["advancedCommerceInfo"]
    for page in paper.developer.pages(bought.transactionId):
        for signed in page.signedTransactions:
            assert whole("signedTransactionInfo", signed)["advancedCommerceInfo"]["items"]


def test_something_that_is_charged_once(paper):
    customer = paper.customer()
    bought = paper.merchant.sells(customer, charge("lesson", 24_990), CHARGE)
    assert bought.price == 24_990
    assert bought.advancedCommerceInfo.period is None
    assert bought.advancedCommerceInfo.descriptors is None
    [told] = arrivals(paper, bought)
    assert told.rawNotificationType == "ONE_TIME_CHARGE"
    assert paper.told(told).advancedCommerceInfo.items[0].SKU == "lesson"


def test_prices_item_by_item(paper):
    customer = paper.customer()
    bought = paper.merchant.sells(
        customer, bundle(item("news", 9_990), item("chess", 2_990), item("sport", 1_990)))
    assert names(paper, bought) == ["SUBSCRIBED/INITIAL_BUY"]
    # 1.00 more is told of; 7.00 more for what costs 2.99 is asked.
    reply = paper.merchant.calls(
        "changePrice", bought, prices(("news", 10_990), ("chess", 9_990, "sport")))
    renewal = paper.developer.renewal_info(reply.signedRenewalInfo)
    statuses = [one.priceIncreaseInfo.status if one.priceIncreaseInfo else None
                for one in renewal.advancedCommerceInfo.items]
    assert statuses == [Increase.SCHEDULED, Increase.SCHEDULED, None]
    assert renewal.advancedCommerceInfo.items[1].priceIncreaseInfo.dependentSKUs == ["sport"]
    assert names(paper, bought) == ["PRICE_CHANGE"]


def test_what_the_calls_refuse(paper):
    customer = paper.customer()
    bought = paper.merchant.sells(customer, bundle(item("news", 9_990)))
    arrivals(paper, bought)
    before = paper.operator.timeline(bought.originalTransactionId)
    for request, status, code in [
        (prices(("sport", 990)), 400, 4_000_220), (prices(("news", 995)), 400, 4_000_132),
        (prices(("news", 990), ("news", 990)), 400, 4_000_194), ({}, 400, 4_000_079),
        ({"requestInfo": {"requestReferenceId": "1"}}, 400, 4_000_081),
    ]:
        with pytest.raises(CallRefused) as refused:
            paper.merchant.calls("changePrice", bought, request)
        assert (refused.value.status, refused.value.code) == (status, code)
    assert paper.operator.timeline(bought.originalTransactionId) == before
    assert names(paper, bought) == []


def test_what_purchases_are_refused(paper):
    customer = paper.customer()
    for request in [bundle(item("news", 995)), bundle(item("news", 990), item("news", 990))]:
        with pytest.raises(Refused) as refused:
            paper.merchant.sells(customer, request)
        assert refused.value.error == "invalidAdvancedCommerceRequest"
    with pytest.raises(Refused):
        customer.buys(EVERYTHING)
    assert customer.subscriptions() == []
    assert paper.arrivals() == []


def test_cancelling(paper):
    customer = paper.customer()
    bought = paper.merchant.sells(customer, bundle(item("news", 9_990)))
    reply = paper.merchant.calls(
        "cancel", bought, AdvancedCommerceSubscriptionCancelRequest(requestInfo=info()))
    renewal = paper.developer.renewal_info(reply.signedRenewalInfo)
    assert renewal.autoRenewStatus == AutoRenewStatus.OFF
    assert names(paper, bought) == [
        "SUBSCRIBED/INITIAL_BUY", "DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_DISABLED"]
    paper.operator.wait(paper.month)
    assert names(paper, bought) == ["EXPIRED/VOLUNTARY"]
    # What is over begins again by naming it.
    again = paper.merchant.sells(
        customer, bundle(item("news", 7_990), previousTransactionId=bought.transactionId))
    assert again.originalTransactionId == bought.originalTransactionId
    assert names(paper, bought) == ["SUBSCRIBED/RESUBSCRIBE"]
