"""Offers that are redeemed: signed with Apple's own signature creators, and codes."""

import time
import uuid

import pytest
import requests
from appstoreserverlibrary.jws_signature_creator import (
    IntroductoryOfferEligibilitySignatureCreator, PromotionalOfferV2SignatureCreator)
from appstoreserverlibrary.models.OfferDiscountType import OfferDiscountType
from appstoreserverlibrary.models.OfferType import OfferType
from appstoreserverlibrary.promotional_offer import PromotionalOfferSignatureCreator
from story import Refused

ESTATE = "com.example.garden.estate.monthly"


@pytest.fixture
def offer(garden):
    """A promotional offer that no other test has: two months at 0.99 each."""
    name = f"spring-{uuid.uuid4().hex[:8]}"
    create(garden, {
        "type": "PROMOTIONAL", "id": name, "mode": "PAY_AS_YOU_GO", "period": "P1M",
        "periodCount": 2, "price": 990})
    yield name
    requests.delete(
        f"{offers(garden)}/PROMOTIONAL/{name}", headers=operator(garden), timeout=60)


def operator(garden):
    return {"Authorization": f"Bearer {garden.server.ready['operatorToken']}"}


def app(garden):
    return f"{garden.server.url(garden.environment)}/connect/v1/apps/{garden.server.bundle_id}"


def offers(garden):
    return f"{app(garden)}/products/{ESTATE}/offers"


def create(garden, body):
    response = requests.post(offers(garden), json=body, headers=operator(garden), timeout=60)
    assert response.status_code == 201, response.text


def credentials(garden):
    ready = garden.server.ready
    return garden.server.private_key, ready["keyId"], ready["issuerId"], ready["bundleId"]


def detached(garden, offer, account_token="", when=None, nonce=None):
    """The older form, by Apple's own creator."""
    key, key_id, _, bundle_id = credentials(garden)
    nonce, when = nonce or uuid.uuid4(), when or milliseconds()
    signature = PromotionalOfferSignatureCreator(key, key_id, bundle_id).create_signature(
        ESTATE, offer, account_token, nonce, when)
    return {"type": "promotional", "id": offer, "keyId": key_id, "nonce": str(nonce),
            "timestamp": when, "signature": signature}


def compact(garden, offer, transaction=None):
    """The newer form, by Apple's own creator."""
    creator = PromotionalOfferV2SignatureCreator(*credentials(garden))
    return {"type": "promotional", "id": offer,
            "jws": creator.create_signature(ESTATE, offer, transaction)}


def milliseconds():
    return int(time.time() * 1000)


@pytest.mark.parametrize("form", [detached, compact])
def test_an_offer_that_apples_library_signed(garden, offer, form):
    customer = garden.customer()
    bought = customer.buys(ESTATE)
    garden.arrivals()
    assert customer.buys(ESTATE, offer=form(garden, offer)) is None
    [redeemed] = garden.arrivals_of(bought)
    assert redeemed.rawNotificationType == "OFFER_REDEEMED"
    renewal = garden.developer.renewal_info(redeemed.data.signedRenewalInfo)
    assert renewal.offerType == OfferType.PROMOTIONAL_OFFER
    assert renewal.offerIdentifier == offer
    assert renewal.offerDiscountType == OfferDiscountType.PAY_AS_YOU_GO
    garden.operator.wait(garden.month)
    [renewed] = garden.arrivals_of(bought)
    transaction = garden.told(renewed)
    assert transaction.offerIdentifier == offer
    assert transaction.price == 990


def test_a_signature_is_good_once_and_for_what_was_signed(garden, offer):
    customer = garden.customer()
    bought = customer.buys(ESTATE)
    signed = detached(garden, offer)
    wrong = [
        {**signed, "id": "other"}, {**signed, "nonce": str(uuid.uuid4())},
        {**signed, "timestamp": signed["timestamp"] + 1},
        detached(garden, offer, when=milliseconds() - 86_400_000),
        detached(garden, offer, account_token=str(uuid.uuid4())),
        compact(garden, offer, transaction="1"),
    ]
    for claim in wrong:
        with pytest.raises(Refused) as refused:
            customer.buys(ESTATE, offer=claim)
        assert refused.value.error == "invalidOfferSignature"
    customer.buys(ESTATE, offer=signed)
    with pytest.raises(Refused) as refused:
        customer.buys(ESTATE, offer=signed)
    assert refused.value.error == "invalidOfferSignature"
    customer.buys(ESTATE, offer=compact(garden, offer, transaction=bought.transactionId))


def test_the_developers_word_on_the_introductory_offer(garden):
    customer = garden.customer()
    bought = customer.buys(ESTATE)
    creator = IntroductoryOfferEligibilitySignatureCreator(*credentials(garden))
    signed = creator.create_signature(ESTATE, True, bought.transactionId)
    # Who subscribes already has the plan, whatever the developer says.
    with pytest.raises(Refused) as refused:
        customer.buys(ESTATE, offer={"type": "introductory", "jws": signed})
    assert refused.value.error in ("alreadySubscribed", "invalidOfferIdentifier")


def test_a_code(garden):
    name = f"CODE-{uuid.uuid4().hex[:8]}"
    create(garden, {
        "type": "OFFER_CODE", "id": name, "mode": "FREE_TRIAL", "period": "P1M",
        "audiences": ["new"]})
    made = requests.post(
        f"{app(garden)}/offer-codes", headers=operator(garden), timeout=60,
        json={"productId": ESTATE, "offerId": name, "count": 2}).json()
    codes = requests.get(
        f"{app(garden)}/offer-codes/{made['id']}/codes", headers=operator(garden),
        timeout=60).text.split()
    assert len(codes) == 2 and all(len(code) == 18 for code in codes)
    customer = garden.customer()
    response = requests.post(
        f"{garden.server.url(garden.environment)}/storefront/v1/redemptions",
        headers={"Authorization": f"Bearer {customer.token}"}, json={"code": codes[0]}, timeout=60)
    transaction = garden.developer.transaction(response.json()["signedTransactionInfo"])
    assert transaction.offerType == OfferType.OFFER_CODE
    assert transaction.offerIdentifier == name
    assert transaction.price == 0


def test_a_code_of_something_that_is_bought_once(garden):
    seeds = "com.example.garden.seeds.100"
    name = f"SEEDS-{uuid.uuid4().hex[:8]}"
    response = requests.post(
        f"{app(garden)}/products/{seeds}/offers", headers=operator(garden), timeout=60,
        json={"type": "OFFER_CODE", "id": name, "mode": "ONE_TIME", "price": 490,
              "audiences": ["nonSpender"]})
    assert response.status_code == 201, response.text
    code = f"S{uuid.uuid4().hex[:10]}"
    requests.post(
        f"{app(garden)}/offer-codes", headers=operator(garden), timeout=60,
        json={"productId": seeds, "offerId": name, "count": 2, "custom": code})
    customer = garden.customer()
    garden.arrivals()
    response = requests.post(
        f"{garden.server.url(garden.environment)}/storefront/v1/redemptions",
        headers={"Authorization": f"Bearer {customer.token}"}, json={"code": code}, timeout=60)
    transaction = garden.developer.transaction(response.json()["signedTransactionInfo"])
    assert transaction.offerType == OfferType.OFFER_CODE
    assert transaction.offerIdentifier == name
    assert transaction.rawOfferDiscountType == "ONE_TIME"
    assert transaction.offerPeriod is None
    assert transaction.price == 490
    [charge] = garden.arrivals_of(transaction)
    assert charge.rawNotificationType == "ONE_TIME_CHARGE"
    assert garden.told(charge).rawOfferDiscountType == "ONE_TIME"
    requests.delete(
        f"{app(garden)}/products/{seeds}/offers/OFFER_CODE/{name}", headers=operator(garden),
        timeout=60)
