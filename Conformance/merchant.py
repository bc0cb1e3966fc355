"""A merchant that describes what it sells itself: Apple's own creator of in-app signatures, plain
HTTPS for the calls that no official client has, Apple's models for whatever comes back."""

import base64
import json
import uuid
from collections import defaultdict
from typing import get_args

import attr
import requests
from appstoreserverlibrary.jws_signature_creator import AdvancedCommerceAPIInAppSignatureCreator
from appstoreserverlibrary.models.AdvancedCommerceDescriptors import AdvancedCommerceDescriptors
from appstoreserverlibrary.models.AdvancedCommerceOneTimeChargeCreateRequest import (
    AdvancedCommerceOneTimeChargeCreateRequest)
from appstoreserverlibrary.models.AdvancedCommerceOneTimeChargeItem import (
    AdvancedCommerceOneTimeChargeItem)
from appstoreserverlibrary.models.AdvancedCommercePeriod import AdvancedCommercePeriod
from appstoreserverlibrary.models.AdvancedCommerceRequestInfo import AdvancedCommerceRequestInfo
from appstoreserverlibrary.models.AdvancedCommerceRequestRefundResponse import (
    AdvancedCommerceRequestRefundResponse)
from appstoreserverlibrary.models.AdvancedCommerceSubscriptionCancelResponse import (
    AdvancedCommerceSubscriptionCancelResponse)
from appstoreserverlibrary.models.AdvancedCommerceSubscriptionChangeMetadataResponse import (
    AdvancedCommerceSubscriptionChangeMetadataResponse)
from appstoreserverlibrary.models.AdvancedCommerceSubscriptionCreateItem import (
    AdvancedCommerceSubscriptionCreateItem)
from appstoreserverlibrary.models.AdvancedCommerceSubscriptionCreateRequest import (
    AdvancedCommerceSubscriptionCreateRequest)
from appstoreserverlibrary.models.AdvancedCommerceSubscriptionMigrateResponse import (
    AdvancedCommerceSubscriptionMigrateResponse)
from appstoreserverlibrary.models.AdvancedCommerceSubscriptionPriceChangeResponse import (
    AdvancedCommerceSubscriptionPriceChangeResponse)
from appstoreserverlibrary.models.AdvancedCommerceSubscriptionRevokeResponse import (
    AdvancedCommerceSubscriptionRevokeResponse)
from appstoreserverlibrary.models.JWSRenewalInfoDecodedPayload import JWSRenewalInfoDecodedPayload
from appstoreserverlibrary.models.JWSTransactionDecodedPayload import JWSTransactionDecodedPayload
from appstoreserverlibrary.models.LibraryUtility import _get_cattrs_converter
from appstoreserverlibrary.models.ResponseBodyV2DecodedPayload import ResponseBodyV2DecodedPayload

EVERYTHING = "com.example.paper.subscription"
CHARGE = "com.example.paper.charge"

# Each call with its path and what Apple's library reads its answer as.
CALLS = {
    "cancel": ("subscription", AdvancedCommerceSubscriptionCancelResponse),
    "changeMetadata": ("subscription", AdvancedCommerceSubscriptionChangeMetadataResponse),
    "changePrice": ("subscription", AdvancedCommerceSubscriptionPriceChangeResponse),
    "migrate": ("subscription", AdvancedCommerceSubscriptionMigrateResponse),
    "revoke": ("subscription", AdvancedCommerceSubscriptionRevokeResponse),
    "requestRefund": ("transaction", AdvancedCommerceRequestRefundResponse),
}

# What is signed, by the member in which it stands.
PAYLOADS = {
    "signedTransactionInfo": JWSTransactionDecodedPayload,
    "signedRenewalInfo": JWSRenewalInfoDecodedPayload,
    "signedPayload": ResponseBodyV2DecodedPayload,
}

# What both of Apple's pages have without saying that it may be absent.
ALWAYS = {"items", "requestReferenceId", "taxCode"}
OF_SUBSCRIPTIONS = ALWAYS | {"descriptors", "period"}
OF_ITEMS = {"SKU", "displayName", "description", "price"}


# What a store without taxes never sends (decision 0036).
OF_TAXES = {"estimatedTax", "taxExclusivePrice", "taxRate"}

# What Apple's page has, and its library for Python does not read.
UNREAD = {"previousOriginalTransactionId"}

# The members that were seen in what was signed, by Apple's models.
seen = defaultdict(set)


class CallRefused(Exception):
    """A call was refused: its status and Apple's number."""

    def __init__(self, response):
        self.status = response.status_code
        self.code = response.json().get("errorCode") if response.content else None
        super().__init__(f"{self.status} {response.text}")


def info(**more):
    """A request of its own number."""
    return AdvancedCommerceRequestInfo(requestReferenceId=uuid.uuid4(), **more)


def words(sku):
    """What an item is called, no longer than Apple's limits."""
    return {"displayName": f"The {sku}"[:30], "description": f"All of {sku}"[:45]}


def item(sku, price, **more):
    return AdvancedCommerceSubscriptionCreateItem(SKU=sku, price=price, **words(sku), **more)


def bundle(*items, **more):
    """The request for a subscription of items by the month."""
    more = {"requestInfo": info(), "period": AdvancedCommercePeriod.P1M, **more}
    return AdvancedCommerceSubscriptionCreateRequest(
        currency="USD", taxCode="C003-00-1", items=list(items),
        descriptors=AdvancedCommerceDescriptors(
            displayName="The paper", description="News and more"), **more)


def charge(sku, price):
    """The request for something that is charged once."""
    return AdvancedCommerceOneTimeChargeCreateRequest(
        requestInfo=info(), currency="USD", taxCode="C003-00-2",
        item=AdvancedCommerceOneTimeChargeItem(SKU=sku, price=price, **words(sku)))


class Merchant:
    """The merchant's server in one environment."""

    def __init__(self, server, developer):
        self._server = server
        self._developer = developer
        self._url = server.url(developer.environment)
        ready = server.ready
        self._creator = AdvancedCommerceAPIInAppSignatureCreator(
            server.private_key, ready["keyId"], ready["issuerId"], ready["bundleId"])

    def generic(self, *products):
        """Lets products stand for whatever the merchant describes."""
        for product in products:
            response = requests.put(
                f"{self._url}/connect/v1/apps/{self._server.bundle_id}/products/{product}"
                "/advanced-commerce", json={"isGeneric": True}, timeout=60,
                headers={"Authorization": f"Bearer {self._server.ready['operatorToken']}"})
            assert response.status_code == 204, response.text

    def sign(self, request):
        """What an app buys with, by Apple's own creator."""
        return self._creator.create_signature(request)

    def sells(self, customer, request, product=EVERYTHING):
        """Has a customer buy; returns the transaction, or nothing where a change waits."""
        return customer.buys(product, advancedCommerce={"jws": self.sign(request)})

    def calls(self, name, transaction, request):
        """Calls one of the six endpoints with one of Apple's models, or with JSON; returns what
        Apple's library reads the answer as."""
        kind, answer = CALLS[name]
        body = request
        if not isinstance(request, dict):
            body = _get_cattrs_converter(type(request)).unstructure(request)
        response = requests.post(
            f"{self._url}/advancedCommerce/v1/{kind}/{name}/{transaction.transactionId}",
            json=body, timeout=60,
            headers={"Authorization": f"Bearer {self._developer.client._generate_token()}"})
        if not response.ok:
            raise CallRefused(response)
        assert set(response.json()) <= {"signedTransactionInfo", "signedRenewalInfo"}
        said = response.json()
        for member in said:
            whole(member, said[member])
        self._developer.check(said)
        if name == "requestRefund":
            # Apple's page has it for subscriptions; its library cannot read it there.
            said.pop("signedRenewalInfo", None)
        return _get_cattrs_converter(answer).structure(said, answer)


def payload(signed):
    """What a signed text says, as JSON; nobody verifies it here."""
    middle = signed.split(".")[1]
    return json.loads(base64.urlsafe_b64decode(middle + "=" * (-len(middle) % 4)))


def whole(member, signed):
    """Holds what was signed against Apple's model: nothing is lost in it, so that no member is
    unknown, and nothing is missing. Returns the payload."""
    said = payload(signed)
    model = PAYLOADS[member]
    converter = _get_cattrs_converter(model)
    read = converter.unstructure(converter.structure(said, model))
    assert _plain(read) == {name: one for name, one in _plain(said).items() if name not in UNREAD}
    own = said.get("advancedCommerceInfo")
    if own is not None:
        _note(own, attr.fields_dict(model)["advancedCommerceInfo"].type)
        is_subscription = member == "signedRenewalInfo" or "expiresDate" in said
        assert set(own) >= (OF_SUBSCRIPTIONS if is_subscription else ALWAYS)
        assert own["items"] and all(set(one) >= OF_ITEMS for one in own["items"])
        if member == "signedRenewalInfo":
            assert own["consistencyToken"]
    for name in ["signedTransactionInfo", "signedRenewalInfo"]:
        if (inner := (said.get("data") or {}).get(name)) is not None:
            whole(name, inner)
    return said


def members(model):
    """The members that one of Apple's models has on the wire."""
    return {name for name in attr.fields_dict(model) if not name.startswith("raw")}


def _note(value, kind):
    """Notes the members of an object, and of those in it, by Apple's models."""
    kind = next((one for one in get_args(kind) if one is not type(None)), kind)
    if isinstance(value, list):
        for one in value:
            _note(one, kind)
    elif isinstance(value, dict):
        seen[kind] |= set(value)
        for name, one in value.items():
            _note(one, attr.fields_dict(kind)[name].type)


def _plain(value):
    """JSON whose UUIDs are in one case and whose absent members are absent."""
    if isinstance(value, dict):
        return {name: _plain(one) for name, one in value.items() if one is not None}
    if isinstance(value, list):
        return [_plain(one) for one in value]
    return value.lower() if isinstance(value, str) and len(value) == 36 else value
