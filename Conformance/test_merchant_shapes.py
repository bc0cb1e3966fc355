"""Every shape that Apple's library reads, signed by somebody who shares no code with the store, and
posted to a merchant: Apple's verifier takes it first, then the merchant has to."""

import uuid

import pytest
from appstoreserverlibrary.models.AppData import AppData
from appstoreserverlibrary.models.AutoRenewStatus import AutoRenewStatus
from appstoreserverlibrary.models.ConsumptionRequestReason import ConsumptionRequestReason
from appstoreserverlibrary.models.Data import Data
from appstoreserverlibrary.models.Environment import Environment
from appstoreserverlibrary.models.ExternalPurchaseToken import ExternalPurchaseToken
from appstoreserverlibrary.models.InAppOwnershipType import InAppOwnershipType
from appstoreserverlibrary.models.JWSRenewalInfoDecodedPayload import JWSRenewalInfoDecodedPayload
from appstoreserverlibrary.models.JWSTransactionDecodedPayload import JWSTransactionDecodedPayload
from appstoreserverlibrary.models.NotificationTypeV2 import NotificationTypeV2
from appstoreserverlibrary.models.ResponseBodyV2DecodedPayload import ResponseBodyV2DecodedPayload
from appstoreserverlibrary.models.Status import Status
from appstoreserverlibrary.models.Subtype import Subtype
from appstoreserverlibrary.models.Summary import Summary
from appstoreserverlibrary.models.TransactionReason import TransactionReason
from appstoreserverlibrary.models.Type import Type
from appstoreserverlibrary.signed_data_verifier import SignedDataVerifier
from merchant_process import MerchantProcess
from perennial import BOTH
from signer import Signer

BUNDLE = "com.example.shapes"
APPLE_ID = 41234
# 24 October 2023, and an end far beyond every clock of these tests.
SIGNED = 1_698_148_900_000
END = 4_070_908_800_000

CONFIGURATION = f"""apps:
- bundleId: {BUNDLE}
  appleId: {APPLE_ID}
  roots: [root.der]
"""


@pytest.fixture(scope="module")
def signer():
    return Signer()


@pytest.fixture(scope="module")
def merchant(signer):
    with MerchantProcess(
            None, clock="system", configuration=CONFIGURATION, files={"root.der": signer.root},
            looks=0) as merchant:
        yield merchant


@pytest.fixture(params=BOTH, ids=lambda environment: environment.value)
def environment(request):
    return request.param


def verifier(signer, environment):
    return SignedDataVerifier([signer.root], False, environment, BUNDLE, APPLE_ID)


def transaction(environment, number, **more):
    members = {
        "originalTransactionId": f"{number}", "transactionId": f"{number}",
        "webOrderLineItemId": "34343", "bundleId": BUNDLE, "productId": f"{BUNDLE}.product",
        "subscriptionGroupIdentifier": "55555", "purchaseDate": SIGNED,
        "originalPurchaseDate": SIGNED, "expiresDate": END, "quantity": 1,
        "type": Type.AUTO_RENEWABLE_SUBSCRIPTION,
        "inAppOwnershipType": InAppOwnershipType.PURCHASED, "signedDate": SIGNED,
        "environment": environment, "storefront": "USA", "storefrontId": "143441",
        "transactionReason": TransactionReason.PURCHASE, "price": 10_990, "currency": "USD",
        **more}
    return JWSTransactionDecodedPayload(**members)


def renewal(environment, number):
    return JWSRenewalInfoDecodedPayload(
        originalTransactionId=f"{number}", autoRenewProductId=f"{BUNDLE}.product",
        productId=f"{BUNDLE}.product", autoRenewStatus=AutoRenewStatus.ON,
        environment=environment, signedDate=SIGNED, recentSubscriptionStartDate=SIGNED,
        renewalDate=END, renewalPrice=10_990, currency="USD")


def data(signer, environment, number=None, **more):
    """What a notification says of an app, and of a purchase where there is one."""
    if number is not None:
        more |= {
            "signedTransactionInfo": signer.sign(transaction(environment, number)),
            "signedRenewalInfo": signer.sign(renewal(environment, number)),
            "status": Status.ACTIVE}
    return Data(
        environment=environment, appAppleId=APPLE_ID, bundleId=BUNDLE, bundleVersion="1.2.3",
        **more)


def notification(kind, subtype=None, **more):
    return ResponseBodyV2DecodedPayload(
        notificationType=kind, subtype=subtype, notificationUUID=str(uuid.uuid4()),
        **{"version": "2.0", "signedDate": SIGNED, **more})


# Each shape of Apple's own tests of its library, by what is special in it.
SHAPES = {
    "about nothing": lambda signer, environment: notification(
        NotificationTypeV2.TEST, data=data(signer, environment)),
    "about a subscription": lambda signer, environment: notification(
        NotificationTypeV2.SUBSCRIBED, Subtype.INITIAL_BUY,
        data=data(signer, environment, 501)),
    "about consumption": lambda signer, environment: notification(
        NotificationTypeV2.CONSUMPTION_REQUEST, data=data(
            signer, environment, 502,
            consumptionRequestReason=ConsumptionRequestReason.UNINTENDED_PURCHASE)),
    "a summary": lambda signer, environment: notification(
        NotificationTypeV2.RENEWAL_EXTENSION, Subtype.SUMMARY, summary=Summary(
            environment=environment, appAppleId=APPLE_ID, bundleId=BUNDLE,
            productId=f"{BUNDLE}.product", requestIdentifier=str(uuid.uuid4()),
            storefrontCountryCodes=["CAN", "USA", "MEX"], succeededCount=5, failedCount=2)),
    "an external purchase token": lambda signer, environment: notification(
        NotificationTypeV2.EXTERNAL_PURCHASE_TOKEN, Subtype.UNREPORTED,
        externalPurchaseToken=ExternalPurchaseToken(
            externalPurchaseId=(
                "SANDBOX_" if environment == Environment.SANDBOX else "") + str(uuid.uuid4()),
            tokenCreationDate=SIGNED, appAppleId=APPLE_ID, bundleId=BUNDLE)),
    "about the app": lambda signer, environment: notification(
        NotificationTypeV2.RESCIND_CONSENT, appData=AppData(
            environment=environment, appAppleId=APPLE_ID, bundleId=BUNDLE,
            signedAppTransactionInfo=signer.sign({
                "receiptType": environment.value, "appAppleId": APPLE_ID, "bundleId": BUNDLE,
                "applicationVersion": "1.2.3", "receiptCreationDate": SIGNED,
                "appTransactionId": "71134"}))),
}


@pytest.mark.parametrize("shape", SHAPES)
def test_every_shape_of_a_notification_is_kept_and_processed(
        signer, merchant, environment, shape):
    said = SHAPES[shape](signer, environment)
    text = signer.sign(said)
    verifier(signer, environment).verify_and_decode_notification(text)
    assert merchant.takes(text) == ["kept"]
    assert merchant.takes(text) == ["repeated"]
    assert merchant.dead_letters() == []


def test_a_type_that_is_not_there_yet_is_kept_and_processed(signer, merchant, environment):
    said = {
        "notificationType": "INVENTED_LATER", "subtype": "NOBODY_KNOWS",
        "notificationUUID": str(uuid.uuid4()), "version": "2.9", "signedDate": SIGNED,
        "more": {"of": ["that"]}, "data": {
            "environment": environment.value, "appAppleId": APPLE_ID, "bundleId": BUNDLE,
            "more": 1, "signedTransactionInfo": signer.sign(transaction(environment, 503))}}
    text = signer.sign(said)
    verifier(signer, environment).verify_and_decode_notification(text)
    assert merchant.takes(text) == ["kept"]
    assert merchant.dead_letters() == []


@pytest.mark.parametrize("elsewhere", ["Xcode", "LocalTesting", "Moon"])
def test_what_is_of_no_environment_of_the_app_store_gives_nothing(signer, elsewhere):
    with MerchantProcess(
            None, clock="system", configuration=CONFIGURATION, files={"root.der": signer.root},
            looks=0) as merchant:
        said = {
            "notificationType": "TEST", "notificationUUID": str(uuid.uuid4()), "version": "2.0",
            "signedDate": SIGNED, "data": {
                "environment": elsewhere, "appAppleId": APPLE_ID, "bundleId": BUNDLE}}
        reply = merchant.notify(signer.sign(said))
        assert (reply.status_code, reply.json()) == (200, {"result": "setAside"})
        reply = merchant.send("ada", signer.sign(transaction(None, 504, rawEnvironment=elsewhere)))
        assert reply.status_code == 400
        assert merchant.rows(besides=["inbox"]) == {
            table: [] for table in merchant.rows(besides=["inbox"])}


def test_a_purchase_with_every_member_is_taken(signer, merchant, environment):
    """All members that Apple's model of a transaction has in its tests, one of them not known."""
    said = {
        "originalTransactionId": "505", "transactionId": "505", "webOrderLineItemId": "34343",
        "bundleId": BUNDLE, "productId": f"{BUNDLE}.product",
        "subscriptionGroupIdentifier": "55555", "purchaseDate": SIGNED,
        "originalPurchaseDate": SIGNED, "expiresDate": END, "quantity": 1,
        "type": "Auto-Renewable Subscription",
        "appAccountToken": str(uuid.uuid4()),
        "inAppOwnershipType": "PURCHASED", "signedDate": SIGNED, "offerType": 1,
        "offerIdentifier": "abc.123", "environment": environment.value,
        "transactionReason": "PURCHASE", "storefront": "USA", "storefrontId": "143441",
        "price": 10_990, "currency": "USD", "offerDiscountType": "PAY_AS_YOU_GO",
        "appTransactionId": "71134", "offerPeriod": "P1Y", "billingPlanType": "MONTHLY",
        "commitmentInfo": {
            "billingPeriodNumber": 3, "commitmentExpiresDate": END, "commitmentPrice": 119_880,
            "totalBillingPeriods": 12},
        "advancedCommerceInfo": {
            "descriptors": {"description": "Premium", "displayName": "Premium"},
            "estimatedTax": 1_500, "period": "P1M", "requestReferenceId": str(uuid.uuid4()),
            "taxCode": "C003", "taxExclusivePrice": 8_490, "taxRate": "0.15", "items": [{
                "SKU": "premium", "description": "Premium", "displayName": "Premium",
                "price": 9_990, "revocationDate": SIGNED, "refunds": [{
                    "refundAmount": 5_000, "refundDate": SIGNED,
                    "refundReason": "FULFILLMENT_ISSUE", "refundType": "PRORATED"}]}]},
        "inventedLater": True,
    }
    text = signer.sign(said)
    verifier(signer, environment).verify_and_decode_signed_transaction(text)
    customer = merchant.owns(f"ada in {environment.value}", text)
    assert [(one["id"], one["granted"], one["environment"]) for one in customer["entitlements"]] \
        == [("55555", True, environment.value)]


def test_a_refunded_purchase_gives_nothing(signer, merchant, environment):
    said = transaction(
        environment, 506, revocationDate=SIGNED + 1, rawRevocationReason=1,
        rawRevocationType="REFUND_PRORATED", revocationPercentage=50_000)
    text = signer.sign(said)
    decoded = verifier(signer, environment).verify_and_decode_signed_transaction(text)
    assert decoded.revocationDate == SIGNED + 1
    customer = merchant.owns(f"bea in {environment.value}", text)
    assert [(one["granted"], one["reason"]) for one in customer["entitlements"]] == [
        (False, "refunded")]


@pytest.mark.parametrize("left_out", [
    "transactionId", "originalTransactionId", "productId", "purchaseDate", "type", "signedDate",
    "bundleId"])
def test_a_purchase_without_what_says_which_it_is_is_refused(
        signer, merchant, environment, left_out):
    """Apple's verifier takes some of them: its library leaves it to the server to look."""
    before = merchant.rows()
    reply = merchant.send(
        "mallory", signer.sign(transaction(environment, 507, **{left_out: None})))
    assert reply.status_code == 400, reply.text
    assert merchant.rows() == before


def test_other_roots_sign_nothing(merchant, environment):
    """The same shapes by the same names, from certificates that nobody trusts."""
    stranger = Signer()
    before = merchant.rows()
    for shape in SHAPES.values():
        reply = merchant.notify(stranger.sign(shape(stranger, environment)))
        assert (reply.status_code, reply.json()["error"]) == (400, "notVerified")
    assert merchant.send(
        "mallory", stranger.sign(transaction(environment, 508))).status_code == 400
    assert merchant.rows() == before
