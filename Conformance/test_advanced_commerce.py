"""What a merchant describes itself, as Apple's library signs and reads it."""

import uuid

import pytest
from appstoreserverlibrary.models.AdvancedCommerceEffective import AdvancedCommerceEffective
from appstoreserverlibrary.models.AdvancedCommerceOffer import AdvancedCommerceOffer
from appstoreserverlibrary.models.AdvancedCommerceOfferPeriod import AdvancedCommerceOfferPeriod
from appstoreserverlibrary.models.AdvancedCommerceOfferReason import AdvancedCommerceOfferReason
from appstoreserverlibrary.models.AdvancedCommercePriceIncreaseInfoStatus import (
    AdvancedCommercePriceIncreaseInfoStatus as Increase)
from appstoreserverlibrary.models.AdvancedCommerceReason import AdvancedCommerceReason
from appstoreserverlibrary.models.AdvancedCommerceRefundReason import AdvancedCommerceRefundReason
from appstoreserverlibrary.models.AdvancedCommerceRefundType import AdvancedCommerceRefundType
from appstoreserverlibrary.models.AdvancedCommerceRequestRefundItem import (
    AdvancedCommerceRequestRefundItem)
from appstoreserverlibrary.models.AdvancedCommerceRequestRefundRequest import (
    AdvancedCommerceRequestRefundRequest)
from appstoreserverlibrary.models.AdvancedCommerceSubscriptionCancelRequest import (
    AdvancedCommerceSubscriptionCancelRequest)
from appstoreserverlibrary.models.AdvancedCommerceSubscriptionChangeMetadataDescriptors import (
    AdvancedCommerceSubscriptionChangeMetadataDescriptors)
from appstoreserverlibrary.models.AdvancedCommerceSubscriptionChangeMetadataItem import (
    AdvancedCommerceSubscriptionChangeMetadataItem)
from appstoreserverlibrary.models.AdvancedCommerceSubscriptionChangeMetadataRequest import (
    AdvancedCommerceSubscriptionChangeMetadataRequest)
from appstoreserverlibrary.models.AdvancedCommerceSubscriptionMigrateDescriptors import (
    AdvancedCommerceSubscriptionMigrateDescriptors)
from appstoreserverlibrary.models.AdvancedCommerceSubscriptionMigrateItem import (
    AdvancedCommerceSubscriptionMigrateItem)
from appstoreserverlibrary.models.AdvancedCommerceSubscriptionMigrateRequest import (
    AdvancedCommerceSubscriptionMigrateRequest)
from appstoreserverlibrary.models.AdvancedCommerceSubscriptionModifyAddItem import (
    AdvancedCommerceSubscriptionModifyAddItem)
from appstoreserverlibrary.models.AdvancedCommerceSubscriptionModifyChangeItem import (
    AdvancedCommerceSubscriptionModifyChangeItem)
from appstoreserverlibrary.models.AdvancedCommerceSubscriptionModifyInAppRequest import (
    AdvancedCommerceSubscriptionModifyInAppRequest)
from appstoreserverlibrary.models.AdvancedCommerceSubscriptionPriceChangeItem import (
    AdvancedCommerceSubscriptionPriceChangeItem)
from appstoreserverlibrary.models.AdvancedCommerceSubscriptionPriceChangeRequest import (
    AdvancedCommerceSubscriptionPriceChangeRequest)
from appstoreserverlibrary.models.AdvancedCommerceSubscriptionReactivateInAppRequest import (
    AdvancedCommerceSubscriptionReactivateInAppRequest)
from appstoreserverlibrary.models.AdvancedCommerceSubscriptionRevokeRequest import (
    AdvancedCommerceSubscriptionRevokeRequest)
from appstoreserverlibrary.models.AutoRenewStatus import AutoRenewStatus
from conftest import Garden, name
from merchant import (
    CHARGE, EVERYTHING, OF_TAXES, CallRefused, Merchant, bundle, charge, info, item, members, payload,
    seen, whole)
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


def test_what_a_bundle_becomes(paper):
    customer = paper.customer()
    bought = paper.merchant.sells(customer, bundle(item("news", 9_990), item("chess", 2_990)))
    assert names(paper, bought) == ["SUBSCRIBED/INITIAL_BUY"]
    modified = paper.merchant.sells(customer, AdvancedCommerceSubscriptionModifyInAppRequest(
        transactionId=bought.transactionId, requestInfo=info(), retainBillingCycle=True,
        addItems=[AdvancedCommerceSubscriptionModifyAddItem(
            SKU="sport", displayName="The sport", description="All of sport", price=4_990,
            proratedPrice=2_500)],
        changeItems=[AdvancedCommerceSubscriptionModifyChangeItem(
            currentSKU="chess", SKU="brief", displayName="The brief", description="In short",
            price=990, effective=AdvancedCommerceEffective.NEXT_BILL_CYCLE,
            reason=AdvancedCommerceReason.DOWNGRADE)]))
    assert modified.price == 2_500
    assert modified.expiresDate == bought.expiresDate
    assert [one.SKU for one in modified.advancedCommerceInfo.items] == ["news", "chess", "sport"]
    # One word, of what is better, tells of all that a request changes.
    told = arrivals(paper, bought)
    assert [one.rawNotificationType for one in told] == ["DID_CHANGE_RENEWAL_PREF"]
    renewal = paper.developer.renewal_info(told[0].data.signedRenewalInfo)
    assert renewal.renewalPrice == 15_970
    assert [one.SKU for one in renewal.advancedCommerceInfo.items] == ["news", "brief", "sport"]
    paper.merchant.calls(
        "cancel", bought, AdvancedCommerceSubscriptionCancelRequest(requestInfo=info()))
    assert paper.merchant.sells(customer, AdvancedCommerceSubscriptionReactivateInAppRequest(
        transactionId=bought.transactionId, requestInfo=info())) is None
    assert names(paper, bought)[:2] == [
        "DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_DISABLED",
        "DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_ENABLED"]


def test_other_names(paper):
    customer = paper.customer()
    bought = paper.merchant.sells(customer, bundle(item("news", 9_990)))
    assert names(paper, bought) == ["SUBSCRIBED/INITIAL_BUY"]
    reply = paper.merchant.calls(
        "changeMetadata", bought, AdvancedCommerceSubscriptionChangeMetadataRequest(
            requestInfo=info(),
            descriptors=AdvancedCommerceSubscriptionChangeMetadataDescriptors(
                effective=AdvancedCommerceEffective.IMMEDIATELY, displayName="The daily paper"),
            items=[AdvancedCommerceSubscriptionChangeMetadataItem(
                currentSKU="news", effective=AdvancedCommerceEffective.IMMEDIATELY, SKU="daily",
                displayName="The daily")]))
    renewal = paper.developer.renewal_info(reply.signedRenewalInfo)
    assert renewal.advancedCommerceInfo.descriptors.displayName == "The daily paper"
    [one] = renewal.advancedCommerceInfo.items
    assert (one.SKU, one.displayName, one.price) == ("daily", "The daily", 9_990)
    assert names(paper, bought) == ["METADATA_UPDATE"]


def test_an_ordinary_subscription_moves(paper):
    customer = paper.customer()
    classic = customer.buys("com.example.paper.classic.monthly")
    reply = paper.merchant.calls(
        "migrate", classic, AdvancedCommerceSubscriptionMigrateRequest(
            requestInfo=info(), targetProductId=EVERYTHING, taxCode="C003-00-1",
            descriptors=AdvancedCommerceSubscriptionMigrateDescriptors(
                displayName="The paper", description="News and more"),
            items=[AdvancedCommerceSubscriptionMigrateItem(
                SKU="classic", displayName="The classic", description="As it always was")]))
    moved = paper.developer.transaction(reply.signedTransactionInfo)
    assert moved.productId == EVERYTHING
    assert payload(reply.signedTransactionInfo)["previousOriginalTransactionId"] == (
        classic.originalTransactionId)
    assert names(paper, moved) == ["MIGRATION"]
    renewal = paper.developer.renewal_info(reply.signedRenewalInfo)
    assert renewal.renewalPrice == 7_990
    with pytest.raises(CallRefused) as refused:
        paper.merchant.calls("migrate", classic, {
            "requestInfo": {"requestReferenceId": str(uuid.uuid4())}, "taxCode": "C003-00-1",
            "targetProductId": EVERYTHING,
            "descriptors": {"displayName": "The paper", "description": "News"},
            "items": [{"SKU": "classic", "displayName": "Classic", "description": "As it was"}]})
    assert refused.value.code == 4_000_176


def test_money_goes_back(paper):
    customer = paper.customer()
    bought = paper.merchant.sells(
        customer, bundle(item("news", 9_990), item("chess", 2_990), item("sport", 1_990)))
    assert names(paper, bought) == ["SUBSCRIBED/INITIAL_BUY"]
    reply = paper.merchant.calls(
        "requestRefund", bought, AdvancedCommerceRequestRefundRequest(
            requestInfo=info(), currency="USD", refundRiskingPreference=False,
            items=[AdvancedCommerceRequestRefundItem(
                SKU="chess", refundReason=AdvancedCommerceRefundReason.LEGAL,
                refundType=AdvancedCommerceRefundType.CUSTOM, refundAmount=1_000, revoke=True)]))
    assert paper.developer.transaction(reply.signedTransactionInfo).transactionId == (
        bought.transactionId)
    assert names(paper, bought) == ["REFUND"]
    one = paper.developer.transaction(
        paper.developer.get_transaction_info(bought.transactionId).signedTransactionInfo)
    [refund] = one.advancedCommerceInfo.items[1].refunds
    assert (refund.refundAmount, refund.refundType) == (1_000, AdvancedCommerceRefundType.CUSTOM)
    assert refund.refundReason == AdvancedCommerceRefundReason.LEGAL
    paper.merchant.calls(
        "revoke", bought, AdvancedCommerceSubscriptionRevokeRequest(
            requestInfo=info(), refundReason=AdvancedCommerceRefundReason.LEGAL,
            refundType=AdvancedCommerceRefundType.FULL, refundRiskingPreference=False))
    assert names(paper, bought) == [
        "DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_DISABLED", "REFUND"]
    [group] = paper.developer.get_all_subscription_statuses(bought.transactionId).data
    [last] = group.lastTransactions
    assert last.rawStatus == 5
    with pytest.raises(CallRefused) as refused:
        paper.merchant.calls(
            "revoke", bought, AdvancedCommerceSubscriptionRevokeRequest(
                requestInfo=info(), refundReason=AdvancedCommerceRefundReason.LEGAL,
                refundType=AdvancedCommerceRefundType.FULL, refundRiskingPreference=False))
    assert refused.value.code == 4_000_186


def test_every_member_of_apples_models_is_sent(paper):
    seen.clear()
    customer = paper.customer()
    offer = AdvancedCommerceOffer(
        period=AdvancedCommerceOfferPeriod.P1M, periodCount=2, price=990,
        reason=AdvancedCommerceOfferReason.RETENTION)
    bought = paper.merchant.sells(
        customer, bundle(item("news", 9_990), item("chess", 2_990), item("go", 2_990, offer=offer)))
    paper.merchant.calls("changePrice", bought, prices(("news", 10_990, "chess")))
    paper.merchant.calls(
        "requestRefund", bought, AdvancedCommerceRequestRefundRequest(
            requestInfo=info(), refundRiskingPreference=False,
            items=[AdvancedCommerceRequestRefundItem(
                SKU="chess", refundReason=AdvancedCommerceRefundReason.OTHER,
                refundType=AdvancedCommerceRefundType.FULL, revoke=True)]))
    arrivals(paper, bought)
    assert len(seen) == 8
    for model, sent in seen.items():
        assert members(model) - sent <= OF_TAXES, model
        assert OF_TAXES.isdisjoint(sent)
