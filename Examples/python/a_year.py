"""A year of a subscription in a second, seen through Apple's own server library.

    pip install app-store-server-library
    .build/debug/perennial serve Examples/Garden.storekit
    python Examples/python/a_year.py

Run the last command in another terminal. It takes a ready file as an argument; `serve` writes
perennial-data/ready.json unless it has another data directory. Your own server needs only the two
marked lines to talk to the store instead of Apple.
"""

import json
import sys
import uuid
from datetime import datetime, timezone
from pathlib import Path

import requests
from appstoreserverlibrary.api_client import AppStoreServerAPIClient, GetTransactionHistoryVersion
from appstoreserverlibrary.models.Environment import Environment
from appstoreserverlibrary.models.TransactionHistoryRequest import TransactionHistoryRequest
from appstoreserverlibrary.signed_data_verifier import SignedDataVerifier

PRODUCT = "com.example.garden.vegetables.monthly"


def call(method, url, token=None, **body):
    """One of the store's own two surfaces: /storefront and /connect."""
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    response = requests.request(method, url, json=body, headers=headers, timeout=60)
    if not response.ok:
        sys.exit(f"{method} {url}: {response.text}")
    return response.json()


def day(milliseconds):
    return datetime.fromtimestamp(milliseconds / 1000, timezone.utc).strftime("%d %b %Y")


ready = json.loads(Path(sys.argv[1] if len(sys.argv) > 1 else "perennial-data/ready.json").read_text())
ready = ready.get("store", ready)  # With a merchant beside it each has an object of its own.
url = ready["production"]["url"]

# What your server does.
client = AppStoreServerAPIClient(
    Path(ready["privateKeyFile"]).read_bytes(), ready["keyId"], ready["issuerId"],
    ready["bundleId"], Environment.PRODUCTION)
client._base_url = url  # Apple's URL otherwise.
root = Path(ready["rootCertificateFile"]).read_bytes()  # Apple's root certificate otherwise.
verifier = SignedDataVerifier(
    [root], False, Environment.PRODUCTION, ready["bundleId"], ready["appAppleId"])

# What the app does on a device.
account = f"anna-{uuid.uuid4()}"
device = call(
    "POST", f"{url}/storefront/v1/sign-in", bundleId=ready["bundleId"], account=account)
bought = call("POST", f"{url}/storefront/v1/purchases", device["token"], productId=PRODUCT)
first = verifier.verify_and_decode_signed_transaction(bought["signedTransactionInfo"])
print(f"{account} bought {first.productId}: transaction {first.transactionId}")

# What only a store of one's own can do.
year = call("POST", f"{url}/connect/v1/clock/advance", ready["operatorToken"], by="P1Y")
print(f"A year went by, it is {year['now']}: {year['changes']} changes.")

# And what your server sees of it.
revision = None
while True:
    page = client.get_transaction_history(
        first.transactionId, revision, TransactionHistoryRequest(), GetTransactionHistoryVersion.V2)
    for signed in page.signedTransactions:
        one = verifier.verify_and_decode_signed_transaction(signed)
        offer = f" ({one.rawOfferDiscountType})" if one.rawOfferDiscountType else ""
        print(
            f"  {day(one.purchaseDate)} to {day(one.expiresDate)}"
            f"  {one.price / 1000:6.2f} {one.currency}  {one.rawTransactionReason}{offer}")
    if not page.hasMore:
        break
    revision = page.revision
