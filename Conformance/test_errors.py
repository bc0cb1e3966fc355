"""What is refused is refused in the library's own words."""

import uuid

import pytest
import requests
from apple import Developer
from appstoreserverlibrary.api_client import APIError, APIException, GetTransactionHistoryVersion
from appstoreserverlibrary.models.ConsumptionRequest import ConsumptionRequest
from appstoreserverlibrary.models.ConsumptionRequestV1 import ConsumptionRequestV1
from appstoreserverlibrary.models.ExtendReasonCode import ExtendReasonCode
from appstoreserverlibrary.models.ExtendRenewalDateRequest import ExtendRenewalDateRequest
from appstoreserverlibrary.models.MassExtendRenewalDateRequest import MassExtendRenewalDateRequest
from appstoreserverlibrary.models.NotificationHistoryRequest import NotificationHistoryRequest
from appstoreserverlibrary.models.NotificationTypeV2 import NotificationTypeV2
from appstoreserverlibrary.models.Subtype import Subtype
from appstoreserverlibrary.models.TransactionHistoryRequest import Order, TransactionHistoryRequest
from appstoreserverlibrary.models.UpdateAppAccountTokenRequest import UpdateAppAccountTokenRequest
from appstoreserverlibrary.signed_data_verifier import SignedDataVerifier, VerificationException
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec

UNKNOWN = "999999999999999"
DAY = 24 * 60 * 60 * 1000
V2 = GetTransactionHistoryVersion.V2


@pytest.fixture(scope="module")
def known(garden):
    """A customer with a subscription that has renewed once, and what they are called."""
    customer = garden.customer()
    original = customer.buys("com.example.garden.estate.monthly").transactionId
    garden.operator.wait(garden.month)
    renewal = customer.transactions()[1]["transactionId"]
    return {
        "original": original, "renewal": renewal, "now": garden.operator.now(),
        "app": customer.app_transaction.appTransactionId,
        "trial": customer.buys("com.example.garden.doctor.monthly").transactionId,
        "seeds": customer.buys("com.example.garden.seeds.100").transactionId,
        "almanac": customer.buys("com.example.garden.almanac").transactionId,
    }


class Loose:
    """An enum's member that the library does not have."""

    def __init__(self, value):
        self.value = value


def token(value):
    return UpdateAppAccountTokenRequest(appAccountToken=value)


def past(known, **filters):
    now = known["now"]
    return NotificationHistoryRequest(**{"startDate": now - DAY, "endDate": now, **filters})


def history(client, known, revision=None, **filters):
    return client.get_transaction_history(
        known["original"], revision, TransactionHistoryRequest(**filters), V2)


def revision_of_another_question(client, known):
    revision = history(client, known).revision
    return history(client, known, revision, sort=Order.DESCENDING)


def token_of_no_page(client, known):
    return client.get_notification_history("0_nothing", past(known))


def extend(client, transaction_id, **changes):
    return client.extend_subscription_renewal_date(
        transaction_id, ExtendRenewalDateRequest(**{
            "extendByDays": 1, "extendReasonCode": ExtendReasonCode.UNDECLARED,
            "requestIdentifier": str(uuid.uuid4()), **changes}))


def extend_three_times(client, known):
    for _ in range(3):
        extend(client, known["original"])


def extend_all(client, **changes):
    return client.extend_renewal_date_for_all_active_subscribers(
        MassExtendRenewalDateRequest(**{
            "extendByDays": 1, "extendReasonCode": ExtendReasonCode.UNDECLARED,
            "requestIdentifier": str(uuid.uuid4()),
            "productId": "com.example.garden.estate.monthly", **changes}))


def extension_status(client, identifier, product="com.example.garden.estate.monthly"):
    return client.get_status_of_subscription_renewal_date_extensions(identifier, product)


def consumption(client, transaction_id, **changes):
    return client.send_consumption_information(transaction_id, ConsumptionRequest(**{
        "customerConsented": True, "sampleContentProvided": False,
        "rawDeliveryStatus": "DELIVERED", **changes}))


def consumption_v1(client, transaction_id, **changes):
    request = ConsumptionRequestV1(**{
        "customerConsented": True, "appAccountToken": "", "sampleContentProvided": False,
        "rawConsumptionStatus": 0, "rawPlatform": 1, "rawDeliveryStatus": 0,
        "rawAccountTenure": 1, "rawPlayTime": 0, "rawLifetimeDollarsPurchased": 1,
        "rawLifetimeDollarsRefunded": 1, "rawUserStatus": 1, **changes})
    with pytest.warns(DeprecationWarning):
        return client.send_consumption_data(transaction_id, request)


def revision_of_another_question_of_refunds(client, known):
    revision = history(client, known).revision
    return client.get_refund_history(known["original"], revision)


REFUSALS = [
    # (what is asked, and the answer)
    ("GET_INFO_NO_NUMBER", lambda c, k: c.get_transaction_info("apple"), "INVALID_TRANSACTION_ID"),
    ("GET_INFO_TOO_LONG", lambda c, k: c.get_transaction_info("1" * 40), "INVALID_TRANSACTION_ID"),
    ("GET_INFO_UNKNOWN", lambda c, k: c.get_transaction_info(UNKNOWN), "TRANSACTION_ID_NOT_FOUND"),
    ("GET_INFO_APP", lambda c, k: c.get_transaction_info(k["app"]),
     "APP_TRANSACTION_ID_NOT_SUPPORTED_ERROR"),
    ("HISTORY_NO_NUMBER", lambda c, k: c.get_transaction_history(
        "-1", None, TransactionHistoryRequest(), V2), "INVALID_TRANSACTION_ID"),
    ("HISTORY_UNKNOWN", lambda c, k: c.get_transaction_history(
        UNKNOWN, None, TransactionHistoryRequest(), V2), "TRANSACTION_ID_NOT_FOUND"),
    ("HISTORY_V1_UNKNOWN", lambda c, k: c.get_transaction_history(
        UNKNOWN, None, TransactionHistoryRequest(), GetTransactionHistoryVersion.V1),
     "TRANSACTION_ID_NOT_FOUND"),
    ("HISTORY_REVISION", lambda c, k: history(c, k, "nonsense"), "INVALID_REQUEST_REVISION"),
    ("HISTORY_REVISION_OTHER", revision_of_another_question, "INVALID_REQUEST_REVISION"),
    ("HISTORY_SORT", lambda c, k: history(c, k, sort=Loose("SIDEWAYS")), "INVALID_SORT"),
    ("HISTORY_START", lambda c, k: history(c, k, startDate="yesterday"), "INVALID_START_DATE"),
    ("HISTORY_END", lambda c, k: history(c, k, endDate=-5), "INVALID_END_DATE"),
    ("HISTORY_SWAPPED", lambda c, k: history(c, k, startDate=5, endDate=4), "INVALID_END_DATE"),
    ("HISTORY_TYPE", lambda c, k: history(c, k, productTypes=[Loose("VEGETABLE")]),
     "INVALID_PRODUCT_TYPE"),
    ("HISTORY_PRODUCT", lambda c, k: history(c, k, productIds=["no\nname"]), "INVALID_PRODUCT_ID"),
    ("HISTORY_GROUP", lambda c, k: history(c, k, subscriptionGroupIdentifiers=["no\nname"]),
     "INVALID_SUBSCRIPTION_GROUP_IDENTIFIER"),
    ("HISTORY_OWNERSHIP", lambda c, k: history(c, k, inAppOwnershipType=Loose("STOLEN")),
     "INVALID_IN_APP_OWNERSHIP_TYPE"),
    ("HISTORY_REVOKED", lambda c, k: history(c, k, revoked="maybe"), "INVALID_REVOKED"),
    ("STATUS_NO_NUMBER", lambda c, k: c.get_all_subscription_statuses("x"), "INVALID_TRANSACTION_ID"),
    ("STATUS_UNKNOWN", lambda c, k: c.get_all_subscription_statuses(UNKNOWN),
     "TRANSACTION_ID_NOT_FOUND"),
    ("STATUS_FILTER", lambda c, k: c.get_all_subscription_statuses(k["original"], [Loose(9)]),
     "INVALID_STATUS"),
    ("APP_NO_NUMBER", lambda c, k: c.get_app_transaction_info("x"), "INVALID_TRANSACTION_ID"),
    ("APP_UNKNOWN", lambda c, k: c.get_app_transaction_info(UNKNOWN), "TRANSACTION_ID_NOT_FOUND"),
    ("TOKEN_NO_UUID", lambda c, k: c.set_app_account_token(k["original"], token("me")),
     "INVALID_APP_ACCOUNT_TOKEN_UUID_ERROR"),
    ("TOKEN_NOT_ORIGINAL", lambda c, k: c.set_app_account_token(k["renewal"], token(str(uuid.uuid4()))),
     "TRANSACTION_ID_IS_NOT_ORIGINAL_TRANSACTION_ID_ERROR"),
    ("TOKEN_APP", lambda c, k: c.set_app_account_token(k["app"], token(str(uuid.uuid4()))),
     "APP_TRANSACTION_ID_NOT_SUPPORTED_ERROR"),
    ("TOKEN_UNKNOWN", lambda c, k: c.set_app_account_token(UNKNOWN, token(str(uuid.uuid4()))),
     "ORIGINAL_TRANSACTION_ID_NOT_FOUND"),
    ("FINISH_NO_NUMBER", lambda c, k: c.finish_transaction("x"), "INVALID_TRANSACTION_ID"),
    ("FINISH_UNKNOWN", lambda c, k: c.finish_transaction(UNKNOWN), "TRANSACTION_ID_NOT_FOUND"),
    ("FINISH_APP", lambda c, k: c.finish_transaction(k["app"]),
     "APP_TRANSACTION_ID_NOT_SUPPORTED_ERROR"),
    ("TEST_TOKEN", lambda c, k: c.get_test_notification_status("nonsense"),
     "INVALID_TEST_NOTIFICATION_TOKEN"),
    ("TEST_UNKNOWN", lambda c, k: c.get_test_notification_status(f"{uuid.uuid4()}_1"),
     "TEST_NOTIFICATION_NOT_FOUND"),
    ("PAST_NO_START", lambda c, k: c.get_notification_history(
        None, NotificationHistoryRequest(endDate=k["now"])), "INVALID_START_DATE"),
    ("PAST_NO_END", lambda c, k: c.get_notification_history(
        None, NotificationHistoryRequest(startDate=k["now"])), "INVALID_END_DATE"),
    ("PAST_SWAPPED", lambda c, k: c.get_notification_history(
        None, past(k, startDate=k["now"])), "START_DATE_AFTER_END_DATE"),
    ("PAST_TOO_FAR", lambda c, k: c.get_notification_history(
        None, past(k, startDate=k["now"] - 200 * DAY)), "START_DATE_TOO_FAR_IN_PAST"),
    ("PAST_TWO_FILTERS", lambda c, k: c.get_notification_history(None, past(
        k, transactionId=k["original"], notificationType=NotificationTypeV2.DID_RENEW)),
     "MULTIPLE_FILTERS_SUPPLIED"),
    ("PAST_LONE_SUBTYPE", lambda c, k: c.get_notification_history(
        None, past(k, notificationSubtype=Subtype.VOLUNTARY)), "INVALID_NOTIFICATION_TYPE"),
    ("PAST_ODD_PAIR", lambda c, k: c.get_notification_history(None, past(
        k, notificationType=NotificationTypeV2.DID_RENEW, notificationSubtype=Subtype.VOLUNTARY)),
     "INVALID_NOTIFICATION_TYPE"),
    ("PAST_NO_NUMBER", lambda c, k: c.get_notification_history(
        None, past(k, transactionId="x")), "INVALID_TRANSACTION_ID"),
    ("PAST_UNKNOWN", lambda c, k: c.get_notification_history(
        None, past(k, transactionId=UNKNOWN)), "TRANSACTION_ID_NOT_FOUND"),
    ("PAST_TOKEN", lambda c, k: c.get_notification_history("?!", past(k)),
     "INVALID_PAGINATION_TOKEN"),
    ("PAST_TOKEN_OF_NO_PAGE", token_of_no_page, "PAGINATION_TOKEN_EXPIRED"),
    ("EXTEND_NO_NUMBER", lambda c, k: extend(c, "x"), "INVALID_ORIGINAL_TRANSACTION_ID"),
    ("EXTEND_UNKNOWN", lambda c, k: extend(c, UNKNOWN), "ORIGINAL_TRANSACTION_ID_NOT_FOUND"),
    ("EXTEND_RENEWAL", lambda c, k: extend(c, k["renewal"]), "ORIGINAL_TRANSACTION_ID_NOT_FOUND"),
    ("EXTEND_APP", lambda c, k: extend(c, k["app"]), "ORIGINAL_TRANSACTION_ID_NOT_FOUND"),
    ("EXTEND_NO_DAYS", lambda c, k: extend(c, k["original"], extendByDays=None),
     "INVALID_EXTEND_BY_DAYS"),
    ("EXTEND_DAYS", lambda c, k: extend(c, k["original"], extendByDays=91),
     "INVALID_EXTEND_BY_DAYS"),
    ("EXTEND_REASON", lambda c, k: extend(c, k["original"], extendReasonCode=Loose(4)),
     "INVALID_EXTEND_REASON_CODE"),
    ("EXTEND_NO_NAME", lambda c, k: extend(c, k["original"], requestIdentifier=None),
     "INVALID_REQUEST_IDENTIFIER"),
    ("EXTEND_LONG_NAME", lambda c, k: extend(c, k["original"], requestIdentifier="r" * 129),
     "INVALID_REQUEST_IDENTIFIER"),
    ("EXTEND_TRIAL", lambda c, k: extend(c, k["trial"]), "SUBSCRIPTION_EXTENSION_INELIGIBLE"),
    ("EXTEND_SEEDS", lambda c, k: extend(c, k["seeds"]), "SUBSCRIPTION_EXTENSION_INELIGIBLE"),
    ("EXTEND_THRICE", extend_three_times, "SUBSCRIPTION_MAX_EXTENSION"),
    ("EXTEND_ALL_NO_UUID", lambda c, k: extend_all(c, requestIdentifier="outage"),
     "INVALID_REQUEST_IDENTIFIER"),
    ("EXTEND_ALL_DAYS", lambda c, k: extend_all(c, extendByDays=0), "INVALID_EXTEND_BY_DAYS"),
    ("EXTEND_ALL_REASON", lambda c, k: extend_all(c, extendReasonCode=None),
     "INVALID_EXTEND_REASON_CODE"),
    ("EXTEND_ALL_NO_PRODUCT", lambda c, k: extend_all(c, productId=None), "INVALID_PRODUCT_ID"),
    ("EXTEND_ALL_PRODUCT", lambda c, k: extend_all(c, productId="turnips"), "INVALID_PRODUCT_ID"),
    ("EXTEND_ALL_SEEDS", lambda c, k: extend_all(c, productId="com.example.garden.seeds.100"),
     "INVALID_PRODUCT_ID"),
    ("EXTEND_ALL_NOWHERE", lambda c, k: extend_all(c, storefrontCountryCodes=[]),
     "INVALID_EMPTY_STOREFRONT_COUNTRY_CODE_LIST"),
    ("EXTEND_ALL_STOREFRONT", lambda c, k: extend_all(c, storefrontCountryCodes=["USA", "US"]),
     "INVALID_STOREFRONT_COUNTRY_CODE"),
    ("EXTENSIONS_NO_UUID", lambda c, k: extension_status(c, "outage"),
     "INVALID_REQUEST_IDENTIFIER"),
    ("EXTENSIONS_PRODUCT", lambda c, k: extension_status(c, str(uuid.uuid4()), "no%0Aname"),
     "INVALID_PRODUCT_ID"),
    ("EXTENSIONS_UNKNOWN", lambda c, k: extension_status(c, str(uuid.uuid4())),
     "STATUS_REQUEST_NOT_FOUND"),
    ("CONSUMED_NO_NUMBER", lambda c, k: consumption(c, "x"), "INVALID_TRANSACTION_ID"),
    ("CONSUMED_UNKNOWN", lambda c, k: consumption(c, UNKNOWN), "TRANSACTION_ID_NOT_FOUND"),
    ("CONSUMED_APP", lambda c, k: consumption(c, k["app"]),
     "APP_TRANSACTION_ID_NOT_SUPPORTED_ERROR"),
    ("CONSUMED_NO_CONSENT", lambda c, k: consumption(c, k["seeds"], customerConsented=False),
     "INVALID_CUSTOMER_CONSENTED"),
    ("CONSUMED_DELIVERY", lambda c, k: consumption(c, k["seeds"], rawDeliveryStatus="LOST"),
     "INVALID_DELIVERY_STATUS"),
    ("CONSUMED_SAMPLE", lambda c, k: consumption(c, k["seeds"], sampleContentProvided=None),
     "INVALID_SAMPLE_CONTENT_PROVIDED"),
    ("CONSUMED_TOO_MUCH", lambda c, k: consumption(c, k["seeds"], consumptionPercentage=100_001),
     "GENERAL_BAD_REQUEST"),
    ("CONSUMED_UNDELIVERED", lambda c, k: consumption(
        c, k["seeds"], consumptionPercentage=1, rawDeliveryStatus="UNDELIVERED_OTHER"),
     "GENERAL_BAD_REQUEST"),
    ("CONSUMED_V1_NO_NUMBER", lambda c, k: consumption_v1(c, "x"), "INVALID_TRANSACTION_ID"),
    ("CONSUMED_V1_UNKNOWN", lambda c, k: consumption_v1(c, UNKNOWN), "TRANSACTION_ID_NOT_FOUND"),
    ("CONSUMED_V1_APP", lambda c, k: consumption_v1(c, k["app"]), "TRANSACTION_ID_NOT_FOUND"),
    ("CONSUMED_V1_TYPE", lambda c, k: consumption_v1(c, k["almanac"]),
     "INVALID_TRANSACTION_TYPE_NOT_SUPPORTED"),
    *[(f"CONSUMED_V1_{member}", lambda c, k, change=change: consumption_v1(c, k["seeds"], **change),
       error) for member, change, error in [
        ("CONSENT", {"customerConsented": None}, "INVALID_CUSTOMER_CONSENTED"),
        ("TOKEN", {"appAccountToken": "me"}, "INVALID_APP_ACCOUNT_TOKEN"),
        ("NO_TOKEN", {"appAccountToken": None}, "INVALID_APP_ACCOUNT_TOKEN"),
        ("SAMPLE", {"sampleContentProvided": None}, "INVALID_SAMPLE_CONTENT_PROVIDED"),
        ("STATUS", {"rawConsumptionStatus": 4}, "INVALID_CONSUMPTION_STATUS"),
        ("PLATFORM", {"rawPlatform": 3}, "INVALID_PLATFORM"),
        ("DELIVERY", {"rawDeliveryStatus": 6}, "INVALID_DELIVERY_STATUS"),
        ("TENURE", {"rawAccountTenure": 8}, "INVALID_ACCOUNT_TENURE"),
        ("PLAY_TIME", {"rawPlayTime": 8}, "INVALID_PLAY_TIME"),
        ("PURCHASED", {"rawLifetimeDollarsPurchased": 8}, "INVALID_LIFETIME_DOLLARS_PURCHASED"),
        ("REFUNDED", {"rawLifetimeDollarsRefunded": -1}, "INVALID_LIFETIME_DOLLARS_REFUNDED"),
        ("USER", {"rawUserStatus": None}, "INVALID_USER_STATUS"),
    ]],
    ("REFUNDS_NO_NUMBER", lambda c, k: c.get_refund_history("x", None), "INVALID_TRANSACTION_ID"),
    ("REFUNDS_UNKNOWN", lambda c, k: c.get_refund_history(UNKNOWN, None),
     "TRANSACTION_ID_NOT_FOUND"),
    ("REFUNDS_REVISION", lambda c, k: c.get_refund_history(k["original"], "nonsense"),
     "INVALID_REQUEST_REVISION"),
    ("REFUNDS_REVISION_OTHER", revision_of_another_question_of_refunds,
     "INVALID_REQUEST_REVISION"),
]

# Numbers that the library has no name for: it gives them as they are.
NAMELESS = [
    ("CONSUMED_PREFERENCE", 4000044,
     lambda c, k: consumption(c, k["seeds"], rawRefundPreference="GRANT")),
    ("CONSUMED_PRORATED", 4000044,
     lambda c, k: consumption(c, k["seeds"], rawRefundPreference="GRANT_PRORATED")),
    ("CONSUMED_V1_PREFERENCE", 4000044,
     lambda c, k: consumption_v1(c, k["seeds"], rawRefundPreference=4)),
    ("CONSUMED_SUBSCRIPTION", 4000209,
     lambda c, k: consumption(c, k["original"], consumptionPercentage=0)),
]


@pytest.mark.parametrize(
    "ask, error", [pytest.param(ask, error, id=name) for name, ask, error in REFUSALS])
def test_a_refusal_is_one_of_the_library_s_errors(garden, known, ask, error):
    with pytest.raises(APIException) as refusal:
        ask(garden.developer, known)
    assert refusal.value.api_error == APIError[error]
    assert refusal.value.http_status_code == APIError[error] // 10_000
    assert refusal.value.error_message


@pytest.mark.parametrize(
    "number, ask", [pytest.param(number, ask, id=name) for name, number, ask in NAMELESS])
def test_a_number_without_a_name_arrives_as_a_number(garden, known, number, ask):
    with pytest.raises(APIException) as refusal:
        ask(garden.developer, known)
    assert refusal.value.raw_api_error == number
    assert refusal.value.http_status_code == 400
    assert refusal.value.error_message


def test_an_order_that_is_none_is_a_bad_request(garden):
    with pytest.raises(APIException) as refusal:
        garden.developer.look_up_order_id("no-order!")
    # Orders are looked up in Production only: elsewhere the path does not exist.
    assert (refusal.value.http_status_code, refusal.value.api_error) == (
        (404, None) if garden.is_sandbox else (400, APIError.GENERAL_BAD_REQUEST))


def forged_key():
    return ec.generate_private_key(ec.SECP256R1()).private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8,
        serialization.NoEncryption())


@pytest.mark.parametrize("forged", [
    {"signing_key": forged_key()}, {"key_id": "ABCDE12345"}, {"issuer_id": str(uuid.uuid4())},
], ids=lambda forged: list(forged)[0])
def test_a_forged_token_is_unauthorized(garden, known, forged):
    forger = Developer(garden.server, garden.environment, **forged)
    for call in [
        lambda: forger.get_transaction_info(known["original"]),
        lambda: forger.get_transaction_info(UNKNOWN),
        lambda: forger.finish_transaction(known["original"]),
        lambda: forger.request_test_notification(),
    ]:
        with pytest.raises(APIException) as refusal:
            call()
        assert refusal.value.http_status_code == 401
        assert refusal.value.raw_api_error is None


def test_another_app_s_token_finds_nothing(garden, known):
    stranger = Developer(garden.server, garden.environment, bundle_id="com.example.other")
    with pytest.raises(APIException) as refusal:
        stranger.get_transaction_info(known["original"])
    assert refusal.value.api_error == APIError.APP_NOT_FOUND


@pytest.mark.parametrize("header", [None, "Bearer", "Bearer nonsense", "Basic eDp5", "Bearer a.b.c"])
def test_without_a_token_nobody_comes_in(garden, known, header):
    response = requests.get(
        f"{garden.server.url(garden.environment)}/inApps/v1/transactions/{known['original']}",
        headers={"Authorization": header} if header else {}, timeout=30)
    assert response.status_code == 401


@pytest.mark.parametrize("body", ["", "{", "[]", '"text"', "{} {}", '{"startDate":"x"}'])
def test_a_broken_body_is_a_general_bad_request(garden, body):
    response = requests.post(
        f"{garden.server.url(garden.environment)}/inApps/v1/notifications/history", data=body,
        headers={
            "Authorization": f"Bearer {garden.developer.client._generate_token()}",
            "Content-Type": "application/json",
        }, timeout=30)
    assert response.status_code == 400
    answer = response.json()
    assert answer["errorCode"] == APIError.GENERAL_BAD_REQUEST.value
    assert "`startDate`" in answer["errorMessage"] or "JSON object" in answer["errorMessage"]


def test_an_error_has_exactly_apple_s_members_and_content_type(garden):
    response = requests.get(
        f"{garden.server.url(garden.environment)}/inApps/v1/transactions/{UNKNOWN}",
        headers={"Authorization": f"Bearer {garden.developer.client._generate_token()}"}, timeout=30)
    assert response.headers["Content-Type"] == "application/json"
    assert sorted(response.json()) == ["errorCode", "errorMessage"]


def test_the_verifier_refuses_what_is_meant_for_others(garden, server):
    signed = garden.developer.get_app_transaction_info(
        garden.customer().app_transaction.appTransactionId).signedAppTransactionInfo
    environments = {"Production": "Sandbox", "Sandbox": "Production"}
    other = type(garden.environment)(environments[garden.environment.value])
    verifiers = [
        SignedDataVerifier([server.root_certificate], False, other, server.bundle_id, 1000000001),
        SignedDataVerifier(
            [server.root_certificate], False, garden.environment, "com.example.other", 1000000001),
    ]
    for verifier in verifiers:
        with pytest.raises(VerificationException):
            verifier.verify_and_decode_app_transaction(signed)
    head, body, signature = signed.split(".")
    changed = ("A" if signature[0] != "A" else "B") + signature[1:]
    with pytest.raises(VerificationException):
        garden.developer.verifier.verify_and_decode_app_transaction(f"{head}.{body}.{changed}")
