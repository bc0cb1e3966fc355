"""Keys of the app's own: Apple's library signs requests and offers with them until they are revoked."""

import uuid

import pytest
import requests
from apple import Developer
from appstoreserverlibrary.api_client import APIException
from appstoreserverlibrary.jws_signature_creator import PromotionalOfferV2SignatureCreator
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec
from story import Refused

ESTATE = "com.example.garden.estate.monthly"


def connect(garden, method, path, body=None):
    response = requests.request(
        method, f"{garden.server.url(garden.environment)}/connect/v1/apps/"
        f"{garden.server.bundle_id}{path}", json=body, timeout=60,
        headers={"Authorization": f"Bearer {garden.server.ready['operatorToken']}"})
    assert response.ok, response.text
    return response.json() if response.content else None


def made_here(garden):
    """A key that the store makes."""
    key = connect(garden, "POST", "/keys", {"name": "library"})
    return key, key["privateKey"].encode()


def made_elsewhere(garden):
    """A key of which the store gets the public half alone."""
    private = ec.generate_private_key(ec.SECP256R1())
    public = private.public_key().public_bytes(
        serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo)
    key = connect(garden, "POST", "/keys", {"publicKey": public.decode()})
    assert "privateKey" not in key
    return key, private.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8,
        serialization.NoEncryption())


@pytest.mark.parametrize("make", [made_here, made_elsewhere])
def test_a_key_of_the_app(garden, make):
    key, private = make(garden)
    developer = Developer(
        garden.server, garden.environment, signing_key=private, key_id=key["keyId"])
    customer = garden.customer()
    bought = customer.buys(ESTATE)
    found = developer.get_transaction_info(bought.transactionId)
    assert found.signedTransactionInfo
    name = f"key-{uuid.uuid4().hex[:8]}"
    connect(garden, "POST", f"/products/{ESTATE}/offers", {
        "type": "PROMOTIONAL", "id": name, "mode": "FREE_TRIAL", "period": "P1M"})
    creator = PromotionalOfferV2SignatureCreator(
        private, key["keyId"], key["issuerId"], garden.server.bundle_id)

    def buys():
        jws = creator.create_signature(ESTATE, name, None)
        return customer.buys(ESTATE, offer={"type": "promotional", "id": name, "jws": jws})

    assert buys() is None
    connect(garden, "POST", f"/keys/{key['keyId']}/revoke")
    with pytest.raises(APIException) as refused:
        developer.get_transaction_info(bought.transactionId)
    assert refused.value.http_status_code == 401
    with pytest.raises(Refused) as refused:
        buys()
    assert refused.value.error == "invalidOfferSignature"
    assert garden.developer.get_transaction_info(bought.transactionId).signedTransactionInfo
    connect(garden, "DELETE", f"/products/{ESTATE}/offers/PROMOTIONAL/{name}")
