"""Renewal dates that the developer moves into the future: of one subscription, and of all."""

import uuid

import pytest
from appstoreserverlibrary.api_client import APIError, APIException
from appstoreserverlibrary.models.ExtendReasonCode import ExtendReasonCode
from appstoreserverlibrary.models.ExtendRenewalDateRequest import ExtendRenewalDateRequest
from appstoreserverlibrary.models.MassExtendRenewalDateRequest import MassExtendRenewalDateRequest
from appstoreserverlibrary.models.NotificationTypeV2 import NotificationTypeV2
from appstoreserverlibrary.models.Status import Status
from appstoreserverlibrary.models.Subtype import Subtype
from conftest import name

ESTATE = "com.example.garden.estate.monthly"
MINUTE = 60 * 1000
DAY = 24 * 60 * MINUTE


def extend(garden, transaction, identifier=None, days=30):
    return garden.developer.extend_subscription_renewal_date(
        transaction.originalTransactionId, ExtendRenewalDateRequest(
            extendByDays=days, extendReasonCode=ExtendReasonCode.SERVICE_ISSUE_OR_OUTAGE,
            requestIdentifier=identifier or str(uuid.uuid4())))


def extend_all(garden, identifier, **details):
    return garden.developer.extend_renewal_date_for_all_active_subscribers(
        MassExtendRenewalDateRequest(**{
            "extendByDays": 30, "extendReasonCode": ExtendReasonCode.SERVICE_ISSUE_OR_OUTAGE,
            "requestIdentifier": identifier, "productId": ESTATE, **details}))


def status(garden, identifier):
    return garden.developer.get_status_of_subscription_renewal_date_extensions(identifier, ESTATE)


def until_complete(garden, identifier):
    """Polls as a developer would, while the store goes on with its work."""
    for _ in range(100):
        found = status(garden, identifier)
        assert found.requestIdentifier == identifier
        if found.complete:
            return found
        assert found.completeDate is found.succeededCount is found.failedCount is None
        garden.operator.settle()
    raise AssertionError("the extension does not come to an end")


def test_an_extension_moves_the_renewal_and_tells_the_developer(garden):
    bought = garden.customer().buys(ESTATE)
    garden.arrivals()
    reply = extend(garden, bought)
    # In Sandbox thirty days are the month of five minutes.
    assert reply.effectiveDate - bought.expiresDate == (5 * MINUTE if garden.is_sandbox else 30 * DAY)
    assert reply.success is True
    assert reply.originalTransactionId == bought.originalTransactionId
    assert reply.webOrderLineItemId == bought.webOrderLineItemId

    [arrived] = garden.arrivals_of(bought)
    assert arrived.notificationType == NotificationTypeV2.RENEWAL_EXTENDED
    assert arrived.subtype is None and arrived.data.status == Status.ACTIVE
    told = garden.told(arrived)
    assert told.transactionId == bought.transactionId
    assert told.expiresDate == reply.effectiveDate
    renewal = garden.developer.renewal_info(arrived.data.signedRenewalInfo)
    assert renewal.renewalDate == reply.effectiveDate

    info = garden.developer.get_transaction_info(bought.transactionId)
    assert garden.developer.transaction(info.signedTransactionInfo).expiresDate == told.expiresDate


def test_the_renewal_comes_on_the_new_date(garden):
    customer = garden.customer()
    bought = customer.buys(ESTATE)
    extend(garden, bought)
    garden.arrivals()
    garden.operator.wait(garden.month)
    assert garden.news(of=bought) == []
    garden.operator.wait(garden.month)
    assert garden.news(of=bought) == ["DID_RENEW"]
    customer.turns_renewal(False, bought.transactionId)


def test_the_same_identifier_is_the_same_extension(garden):
    bought = garden.customer().buys(ESTATE)
    garden.arrivals()
    first, again = (extend(garden, bought, "outage of the greenhouse") for _ in range(2))
    assert first == again
    assert garden.news(of=bought) == ["RENEWAL_EXTENDED"]


def test_two_extensions_a_year_are_the_most(garden):
    bought = garden.customer().buys(ESTATE)
    for _ in range(2):
        assert extend(garden, bought).success
    with pytest.raises(APIException) as refusal:
        extend(garden, bought)
    assert refusal.value.api_error == APIError.SUBSCRIPTION_MAX_EXTENSION


@pytest.fixture
def crowd(quiet):
    """Two who pay, in America and in Germany, and one whose renewal failed."""
    people = [quiet.customer(storefront=code).buys(ESTATE) for code in ["USA", "DEU"]]
    failing = quiet.customer()
    failed = failing.buys(ESTATE)
    quiet.operator.payments(failing.account, "decline")
    quiet.operator.wait(quiet.month)
    quiet.arrivals()
    return people, failed, failing


def test_all_subscribers_of_a_product_are_extended(quiet, crowd):
    people, failed, failing = crowd
    identifier = str(uuid.uuid4())
    assert extend_all(quiet, identifier).requestIdentifier == identifier
    found = until_complete(quiet, identifier)
    assert (found.succeededCount, found.failedCount) == (2, 1)
    assert found.completeDate == quiet.operator.now()

    *each, summary = quiet.arrivals()
    assert [name(one) for one in each] == [
        "RENEWAL_EXTENDED", "RENEWAL_EXTENDED", "RENEWAL_EXTENSION/FAILURE"]
    assert [quiet.told(one).originalTransactionId for one in each] == [
        one.originalTransactionId for one in [*people, failed]]
    assert each[2].data.status == Status.BILLING_RETRY

    assert summary.notificationType == NotificationTypeV2.RENEWAL_EXTENSION
    assert summary.subtype == Subtype.SUMMARY
    assert summary.data is None
    assert summary.summary.environment == quiet.environment
    assert summary.summary.bundleId == quiet.server.bundle_id
    assert summary.summary.appAppleId == (None if quiet.is_sandbox else quiet.server.app_apple_id)
    assert summary.summary.requestIdentifier == identifier
    assert summary.summary.productId == ESTATE
    assert summary.summary.storefrontCountryCodes is None
    assert (summary.summary.succeededCount, summary.summary.failedCount) == (2, 1)


def test_who_failed_is_extended_one_by_one_after_paying(quiet, crowd):
    _, failed, failing = crowd
    identifier = str(uuid.uuid4())
    extend_all(quiet, identifier)
    until_complete(quiet, identifier)
    [told] = [quiet.told(one) for one in quiet.arrivals() if one.subtype == Subtype.FAILURE]
    with pytest.raises(APIException) as refusal:
        extend(quiet, told)
    assert refusal.value.api_error == APIError.SUBSCRIPTION_EXTENSION_INELIGIBLE
    quiet.operator.payments(failing.account, "approve")
    assert quiet.news() == ["DID_RENEW/BILLING_RECOVERY"]
    assert extend(quiet, told).success
    assert quiet.news() == ["RENEWAL_EXTENDED"]


def test_only_the_storefronts_that_are_named(quiet, crowd):
    identifier = str(uuid.uuid4())
    extend_all(quiet, identifier, storefrontCountryCodes=["DEU"])
    found = until_complete(quiet, identifier)
    assert (found.succeededCount, found.failedCount) == (1, 0)
    one, summary = quiet.arrivals()
    assert quiet.told(one).storefront == "DEU"
    assert summary.summary.storefrontCountryCodes == ["DEU"]


def test_the_same_identifier_starts_nothing_new(quiet, crowd):
    identifier = str(uuid.uuid4())
    extend_all(quiet, identifier)
    until_complete(quiet, identifier)
    quiet.arrivals()
    assert extend_all(quiet, identifier, extendByDays=90).requestIdentifier == identifier
    assert until_complete(quiet, identifier).succeededCount == 2
    assert quiet.arrivals() == []
