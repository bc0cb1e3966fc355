"""Family Sharing: what one buys the others have, with transactions of their own."""

import pytest
from appstoreserverlibrary.api_client import APIException
from appstoreserverlibrary.models.ExtendReasonCode import ExtendReasonCode
from appstoreserverlibrary.models.ExtendRenewalDateRequest import ExtendRenewalDateRequest
from appstoreserverlibrary.models.InAppOwnershipType import InAppOwnershipType
from appstoreserverlibrary.models.RevocationType import RevocationType
from appstoreserverlibrary.models.Status import Status
from appstoreserverlibrary.models.UpdateAppAccountTokenRequest import UpdateAppAccountTokenRequest
from conftest import name

ESTATE = "com.example.garden.estate.monthly"


@pytest.fixture
def family(garden):
    """Somebody who bought, and somebody who has it by sharing."""
    organiser, member = garden.customer(), garden.customer()
    made = garden.operator.makes_family(organiser, member)
    garden.arrivals()
    return organiser, member, made


def test_a_member_s_transaction_is_signed_told_and_taken(garden, family):
    organiser, member, made = family
    bought = organiser.buys(ESTATE)
    arrivals = garden.arrivals()
    assert [name(one) for one in arrivals] == ["SUBSCRIBED/INITIAL_BUY"] * 2
    own, shared = [garden.told(one) for one in arrivals]
    assert own.inAppOwnershipType == InAppOwnershipType.PURCHASED
    assert shared.inAppOwnershipType == InAppOwnershipType.FAMILY_SHARED
    assert own.transactionId == bought.transactionId != shared.transactionId
    assert shared.originalTransactionId == shared.transactionId
    assert (shared.expiresDate, shared.price) == (bought.expiresDate, 0)
    assert shared.appTransactionId != bought.appTransactionId
    assert member.entitlements() == [ESTATE]

    [group] = garden.developer.get_all_subscription_statuses(shared.transactionId).data
    [last] = group.lastTransactions
    assert (last.status, last.originalTransactionId) == (Status.ACTIVE, shared.transactionId)
    renewal = garden.developer.renewal_info(last.signedRenewalInfo)
    assert renewal.originalTransactionId == shared.transactionId
    assert renewal.renewalDate == bought.expiresDate

    garden.operator.removes(made, member)
    [revoked] = garden.arrivals()
    assert name(revoked) == "REVOKE" and revoked.data.status == Status.REVOKED
    told = garden.told(revoked)
    assert told.transactionId == shared.transactionId
    assert told.revocationType == RevocationType.FAMILY_REVOKE
    assert told.revocationPercentage is None
    assert member.entitlements() == []
    assert organiser.entitlements() == [ESTATE]


def test_what_only_the_purchaser_can_do_is_refused(garden, family):
    organiser, _, _ = family
    organiser.buys(ESTATE)
    shared = garden.told(garden.arrivals()[1]).transactionId
    with pytest.raises(APIException) as refused:
        garden.developer.extend_subscription_renewal_date(
            shared, ExtendRenewalDateRequest(
                extendByDays=5, extendReasonCode=ExtendReasonCode.CUSTOMER_SATISFACTION,
                requestIdentifier="one"))
    assert refused.value.raw_api_error == 4030007
    with pytest.raises(APIException) as refused:
        garden.developer.set_app_account_token(
            shared, UpdateAppAccountTokenRequest(
                appAccountToken="7e3fb204-2d3b-4b4c-9f3e-1234567890ab"))
    assert refused.value.raw_api_error == 4000185
