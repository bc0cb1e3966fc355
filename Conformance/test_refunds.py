"""Refunds: asked for by customers, decided by policy, by the developer's preference, by hand."""

import pytest
import requests
from appstoreserverlibrary.models.AutoRenewStatus import AutoRenewStatus
from appstoreserverlibrary.models.ConsumptionRequest import ConsumptionRequest
from appstoreserverlibrary.models.ConsumptionRequestReason import ConsumptionRequestReason
from appstoreserverlibrary.models.ConsumptionRequestV1 import ConsumptionRequestV1
from appstoreserverlibrary.models.DeliveryStatus import DeliveryStatus
from appstoreserverlibrary.models.RefundPreference import RefundPreference
from appstoreserverlibrary.models.RefundPreferenceV1 import RefundPreferenceV1
from appstoreserverlibrary.models.RevocationReason import RevocationReason
from appstoreserverlibrary.models.RevocationType import RevocationType
from appstoreserverlibrary.models.Status import Status
from conftest import name

ESTATE, SEEDS = "com.example.garden.estate.monthly", "com.example.garden.seeds.100"
ALMANAC = "com.example.garden.almanac"


def refunds(garden, transaction_id):
    """All pages of the refund history, decoded."""
    revision, found = None, []
    while True:
        page = garden.developer.get_refund_history(transaction_id, revision)
        assert len(page.signedTransactions) <= 20 and page.revision
        found += [garden.developer.transaction(signed) for signed in page.signedTransactions]
        if not page.hasMore:
            return found
        assert len(page.signedTransactions) == 20
        revision = page.revision


def tell(garden, transaction, **details):
    garden.developer.send_consumption_information(
        transaction.transactionId, ConsumptionRequest(**{
            "customerConsented": True, "sampleContentProvided": True,
            "deliveryStatus": DeliveryStatus.DELIVERED, **details}))


def tell_v1(garden, transaction, preference=None):
    request = ConsumptionRequestV1(
        customerConsented=True, appAccountToken="", sampleContentProvided=True,
        rawConsumptionStatus=1, rawPlatform=1, rawDeliveryStatus=0, rawAccountTenure=4,
        rawPlayTime=3, rawLifetimeDollarsPurchased=2, rawLifetimeDollarsRefunded=1,
        rawUserStatus=1, refundPreference=preference)
    with pytest.warns(DeprecationWarning):
        garden.developer.send_consumption_data(transaction.transactionId, request)


def test_a_subscription_is_refunded(garden):
    customer = garden.customer()
    bought = customer.buys(ESTATE)
    garden.arrivals()
    asked = customer.asks_for_refund(bought.transactionId, "FULFILLMENT_ISSUE")
    assert (asked["state"], asked["transactionId"]) == ("open", bought.transactionId)
    off, request = garden.arrivals_of(bought)
    assert name(off) == "DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_DISABLED"
    assert name(request) == "CONSUMPTION_REQUEST"
    assert request.data.consumptionRequestReason == ConsumptionRequestReason.FULFILLMENT_ISSUE
    assert garden.told(request).transactionId == bought.transactionId
    assert customer.entitlements() == [ESTATE]

    tell(garden, bought, refundPreference=RefundPreference.GRANT_FULL)
    [refund] = garden.arrivals_of(bought)
    assert name(refund) == "REFUND" and refund.data.status == Status.REVOKED
    told = garden.told(refund)
    assert told.revocationDate == garden.operator.now()
    assert told.revocationReason == RevocationReason.REFUNDED_DUE_TO_ISSUE
    assert told.revocationType == RevocationType.REFUND_FULL
    assert told.revocationPercentage == 100_000
    assert told.expiresDate == bought.expiresDate
    renewal = garden.developer.renewal_info(refund.data.signedRenewalInfo)
    assert renewal.autoRenewStatus == AutoRenewStatus.OFF

    [group] = garden.developer.get_all_subscription_statuses(bought.transactionId).data
    assert group.lastTransactions[0].status == Status.REVOKED
    [found] = refunds(garden, bought.transactionId)
    assert found.transactionId == bought.transactionId
    assert customer.entitlements() == []
    [shown] = customer.subscriptions()
    assert (shown["status"], shown["entitled"]) == (5, False)


def test_who_stays_silent_for_twelve_hours_agrees(garden):
    customer = garden.customer()
    bought = customer.buys(ALMANAC)
    garden.arrivals()
    customer.asks_for_refund(bought.transactionId, "LEGAL")
    [request] = garden.arrivals_of(bought)
    assert request.data.consumptionRequestReason == ConsumptionRequestReason.LEGAL
    assert request.data.signedRenewalInfo is None
    garden.operator.wait(garden.answer_time)
    [refund] = garden.arrivals_of(bought)
    assert name(refund) == "REFUND"
    assert garden.told(refund).revocationReason == RevocationReason.REFUNDED_FOR_OTHER_REASON
    assert customer.entitlements() == []


def test_consumption_is_taken_in_both_versions_at_any_time(garden):
    customer = garden.customer()
    for product in [SEEDS, ESTATE]:
        bought = customer.buys(product)
        garden.arrivals()
        tell(garden, bought)
        tell_v1(garden, bought)
        assert garden.news(of=bought) == []
        assert refunds(garden, bought.transactionId) == []


def test_refund_history_pages_through_everything_once(garden):
    customer = garden.customer()
    bought = [customer.buys(SEEDS).transactionId for _ in range(25)]
    kept = customer.buys(SEEDS).transactionId
    for transaction_id in bought:
        customer.asks_for_refund(transaction_id)
    garden.operator.wait(garden.answer_time)
    app = customer.app_transaction.appTransactionId
    for transaction_id in [kept, bought[3], app]:
        assert [one.transactionId for one in refunds(garden, transaction_id)] == bought
    page = garden.developer.get_refund_history(kept, None)
    last = garden.developer.get_refund_history(kept, page.revision)
    assert (page.hasMore, last.hasMore) == (True, False)
    customer.asks_for_refund(kept)
    garden.operator.wait(garden.answer_time)
    # The last revision finds what came since.
    [signed] = garden.developer.get_refund_history(app, last.revision).signedTransactions
    assert garden.developer.transaction(signed).transactionId == kept
    garden.arrivals()


def test_version_1_of_the_refund_history_is_there(garden):
    customer = garden.customer()
    bought = customer.buys(SEEDS)
    customer.asks_for_refund(bought.transactionId)
    garden.operator.wait(garden.answer_time)

    def look(transaction_id):
        return requests.get(
            f"{garden.server.url(garden.environment)}/inApps/v1/refund/lookup/{transaction_id}",
            headers={"Authorization": f"Bearer {garden.developer.client._generate_token()}"},
            timeout=30)

    reply = look(bought.transactionId).json()
    garden.developer.check(reply)
    [signed] = reply["signedTransactions"]
    assert list(reply) == ["signedTransactions"]
    assert garden.developer.transaction(signed).revocationType == RevocationType.REFUND_FULL
    assert look("x").json()["errorCode"] == 4000008
    assert look(customer.app_transaction.appTransactionId).json()["errorCode"] == 4040005
    garden.arrivals()


# What an operator decides.


@pytest.fixture
def developer_decides(garden):
    garden.operator.decides_refunds("developer")
    yield
    garden.operator.decides_refunds("approve")


@pytest.mark.parametrize("preference, news", [
    (RefundPreference.DECLINE, "REFUND_DECLINED"), (RefundPreference.GRANT_FULL, "REFUND"),
    (RefundPreference.GRANT_PRORATED, "REFUND"),
], ids=lambda value: getattr(value, "value", None))
def test_the_developer_s_preference_decides(garden, developer_decides, preference, news):
    customer = garden.customer()
    bought = customer.buys(SEEDS)
    customer.asks_for_refund(bought.transactionId)
    garden.arrivals()
    share = 25_000 if preference == RefundPreference.GRANT_PRORATED else None
    tell(garden, bought, refundPreference=preference, consumptionPercentage=share)
    [arrived] = garden.arrivals_of(bought)
    assert name(arrived) == news
    told = garden.told(arrived)
    if preference == RefundPreference.GRANT_PRORATED:
        # Three quarters of 1.99, rounded to the cent: 1.49.
        assert told.revocationType == RevocationType.REFUND_PRORATED
        assert told.revocationPercentage == 74_874
    elif preference == RefundPreference.DECLINE:
        assert told.revocationDate is None and refunds(garden, bought.transactionId) == []


@pytest.mark.parametrize("preference, news", [
    (RefundPreferenceV1.PREFER_DECLINE, "REFUND_DECLINED"),
    (RefundPreferenceV1.PREFER_GRANT, "REFUND"),
], ids=lambda value: getattr(value, "name", None))
def test_the_preference_of_version_1_decides(garden, developer_decides, preference, news):
    customer = garden.customer()
    bought = customer.buys(ESTATE)
    customer.asks_for_refund(bought.transactionId)
    garden.arrivals()
    tell_v1(garden, bought, preference)
    assert garden.news(of=bought) == [news]


@pytest.fixture
def operator_decides(garden):
    garden.operator.decides_refunds("manual")
    yield
    garden.operator.decides_refunds("approve")


def test_the_operator_decides_by_hand(garden, operator_decides):
    customer = garden.customer()
    asked = {}
    for product in [SEEDS, ALMANAC]:
        bought = customer.buys(product)
        asked[product] = customer.asks_for_refund(bought.transactionId)["id"]
    garden.operator.wait(garden.days(2))
    garden.arrivals()
    listed = [one["id"] for one in garden.operator.refund_requests()]
    assert set(asked.values()) <= set(listed)
    garden.operator.grants(asked[SEEDS])
    assert garden.news() == ["REFUND"]
    garden.operator.declines(asked[ALMANAC])
    assert garden.news() == ["REFUND_DECLINED"]
    assert customer.entitlements() == [ALMANAC]


def test_a_refund_is_reversed_and_the_access_comes_back(garden):
    customer = garden.customer()
    bought = customer.buys(ESTATE)
    garden.arrivals()
    garden.operator.refunds(bought.transactionId, "full", reason="problemWithApp")
    assert garden.news(of=bought) == ["DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_DISABLED", "REFUND"]
    assert customer.entitlements() == []
    garden.operator.reverses_refund(bought.transactionId)
    [arrived] = garden.arrivals_of(bought)
    assert name(arrived) == "REFUND_REVERSED" and arrived.data.status == Status.ACTIVE
    told = garden.told(arrived)
    assert told.revocationDate is told.revocationType is told.revocationPercentage is None
    assert told.expiresDate == bought.expiresDate
    assert customer.entitlements() == [ESTATE]
    assert refunds(garden, bought.transactionId) == []
