"""Apple's own verifier over every forged proof, and the store over every forged token."""

import pytest
import requests
from appstoreserverlibrary.models.Environment import Environment
from appstoreserverlibrary.signed_data_verifier import SignedDataVerifier, VerificationException

ESTATE = "com.example.garden.estate.monthly"
VERIFICATIONS = {
    "transaction": SignedDataVerifier.verify_and_decode_signed_transaction,
    "renewal-info": SignedDataVerifier.verify_and_decode_renewal_info,
    "notification": SignedDataVerifier.verify_and_decode_notification,
    "app-transaction": SignedDataVerifier.verify_and_decode_app_transaction,
}


def forge(garden, kind="all", **order):
    """Asked without the helpers that verify whatever they see."""
    response = requests.post(
        f"{garden.server.url(garden.environment)}/connect/v1/forgeries", timeout=60,
        json={"kind": kind, "bundleId": garden.server.bundle_id, **order},
        headers={"Authorization": f"Bearer {garden.server.ready['operatorToken']}"})
    assert response.ok, response.text
    return response.json()


@pytest.fixture(scope="module")
def bought(garden):
    """A purchase of each of two customers."""
    garden.customer().buys(ESTATE)
    return garden.customer().buys(ESTATE)


@pytest.fixture(scope="module")
def forgeries(garden, bought):
    answer = forge(garden, transactionId=bought.transactionId)
    left_out = {
        one["name"] for one in answer["leftOut"] if not one["name"].startswith("receipt-")}
    only = {"notification", "app-transaction"} if garden.is_sandbox else set()
    assert left_out == {
        f"{about}-{fault}" for about in only
        for fault in ["wrong-app-apple-id", "app-apple-id-missing"]}
    return answer["forgeries"]


def status(garden, about, text):
    """What Apple's verifier answers, without online checks; anything but its own exception would
    be a fault of the library's, and fails the test."""
    try:
        VERIFICATIONS[about](garden.developer.verifier, text)
    except VerificationException as refused:
        return refused.status.name
    return "OK"


def test_apples_verifier_answers_each_as_is_said(garden, forgeries):
    signed = [one for one in forgeries if one["about"] in VERIFICATIONS]
    assert len(signed) > 250
    answers = {one["name"]: status(garden, one["about"], one["text"]) for one in signed}
    assert answers == {one["name"]: one["appleStatus"] for one in signed}


def test_what_differs_is_explained_and_nothing_else(garden, forgeries):
    for one in forgeries:
        differs = "appleStatus" in one and (one["appleStatus"] == "OK") != (one["mustBe"] == "accepted")
        assert ("difference" in one) == differs, one["name"]
        assert ("code" in one) == (one["mustBe"] == "refused"), one["name"]
        assert "lookAt" not in one or one["mustBe"] == "accepted", one["name"]


def test_what_comes_before_is_genuine(garden, forgeries):
    before = [one for one in forgeries if "first" in one and one["about"] in VERIFICATIONS]
    assert before
    assert {status(garden, one["about"], one["first"]) for one in before} == {"OK"}


def test_the_insides_of_a_genuine_notification_fail_by_themselves(garden, forgeries):
    insides = [one for one in forgeries if one["name"].startswith("notification-inner-")]
    assert len(insides) == 3
    for one in insides:
        data = garden.developer.verifier.verify_and_decode_notification(one["text"]).data
        member = one["lookAt"].split("`")[1]
        about = {"signedTransactionInfo": "transaction", "signedRenewalInfo": "renewal-info"}[member]
        assert status(garden, about, getattr(data, member)) != "OK", one["name"]


def test_the_store_refuses_every_request_token_that_must_be(garden, bought, forgeries):
    url = f"{garden.server.url(garden.environment)}/inApps/v1/transactions/{bought.transactionId}"
    tokens = [one for one in forgeries if one["about"] == "request-token"]
    tried = 0
    for one in tokens:
        # The HTTP library sends no line breaks in a header, and servers take white space off it.
        if one["text"] != "".join(one["text"].split()):
            continue
        reply = requests.get(
            url, headers={"Authorization": f"Bearer {one['text']}"}, timeout=60)
        tried += 1
        assert (reply.status_code == 401) == (one["mustBe"] == "refused"), one["name"]
    assert tried > 40


def test_a_text_of_one_environment_is_nothing_in_the_other(garden, forgeries):
    """The same text, shown to a verifier of the other environment."""
    other = Environment.PRODUCTION if garden.is_sandbox else Environment.SANDBOX
    verifier = SignedDataVerifier(
        [garden.server.root_certificate], False, other, garden.server.bundle_id,
        garden.server.app_apple_id)
    genuine = {one["about"]: one["text"] for one in forgeries if one["name"].endswith("-genuine")}
    for about, verify in VERIFICATIONS.items():
        with pytest.raises(VerificationException) as refused:
            verify(verifier, genuine[about])
        assert refused.value.status.name in ("INVALID_ENVIRONMENT", "INVALID_APP_IDENTIFIER")
