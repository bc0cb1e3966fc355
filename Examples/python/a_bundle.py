"""Advanced Commerce: the life of a bundle, from its purchase to its end.

    pip install app-store-server-library
    .build/debug/perennial serve Examples/Paper.storekit --bundle-id com.example.paper \\
        --ephemeral --clock frozen --at 2026-01-10 --ready-file ready.json
    python Examples/python/a_bundle.py ready.json

Run the last command in another terminal. Apple's own library signs the in-app requests. No official
client has methods for the server calls, so they are plain HTTP. The story states what must happen
before it moves the clock, checks it afterwards, and ends at the first difference.
"""

import json
import sys
import threading
import uuid
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import requests
from appstoreserverlibrary.api_client import AppStoreServerAPIClient
from appstoreserverlibrary.jws_signature_creator import AdvancedCommerceAPIInAppSignatureCreator
from appstoreserverlibrary.models.AdvancedCommerceDescriptors import AdvancedCommerceDescriptors
from appstoreserverlibrary.models.AdvancedCommercePeriod import AdvancedCommercePeriod
from appstoreserverlibrary.models.AdvancedCommerceRequestInfo import AdvancedCommerceRequestInfo
from appstoreserverlibrary.models.AdvancedCommerceSubscriptionCreateItem import (
    AdvancedCommerceSubscriptionCreateItem)
from appstoreserverlibrary.models.AdvancedCommerceSubscriptionCreateRequest import (
    AdvancedCommerceSubscriptionCreateRequest)
from appstoreserverlibrary.models.AdvancedCommerceSubscriptionModifyAddItem import (
    AdvancedCommerceSubscriptionModifyAddItem)
from appstoreserverlibrary.models.AdvancedCommerceSubscriptionModifyInAppRequest import (
    AdvancedCommerceSubscriptionModifyInAppRequest)
from appstoreserverlibrary.models.Environment import Environment
from appstoreserverlibrary.signed_data_verifier import SignedDataVerifier

EVERYTHING = "com.example.paper.subscription"
CLASSIC = "com.example.paper.classic.monthly"

ready = json.loads(Path(sys.argv[1] if len(sys.argv) > 1 else "perennial-data/ready.json").read_text())
ready = ready.get("store", ready)  # With a merchant beside it each has an object of its own.
url = ready["production"]["url"]
credentials = (
    Path(ready["privateKeyFile"]).read_bytes(), ready["keyId"], ready["issuerId"], ready["bundleId"])
client = AppStoreServerAPIClient(*credentials, Environment.PRODUCTION)
client._base_url = url  # Apple's URL otherwise.
creator = AdvancedCommerceAPIInAppSignatureCreator(*credentials)
verifier = SignedDataVerifier(
    [Path(ready["rootCertificateFile"]).read_bytes()], False, Environment.PRODUCTION,
    ready["bundleId"], ready["appAppleId"])


# MARK: Your server, which hears of everything

arrived = []


class Server(BaseHTTPRequestHandler):
    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        told = verifier.verify_and_decode_notification(body["signedPayload"])
        arrived.append("/".join(filter(None, [told.rawNotificationType, told.rawSubtype])))
        self.send_response(200)
        self.end_headers()

    def log_message(self, *_):
        pass


# MARK: Asking

def ask(method, path, token, **body):
    response = requests.request(
        method, url + path, json=body, headers={"Authorization": f"Bearer {token}"} if token else {},
        timeout=60)
    if not response.ok:
        sys.exit(f"{method} {path}: {response.text}")
    return response.json() if response.content else {}


def operate(method, path, **body):
    """What only a store of one's own can do."""
    return ask(method, f"/connect/v1{path}", ready["operatorToken"], **body)


def call(name, transaction, kind="subscription", **body):
    """One of the six calls; the newest transaction, and what comes next."""
    reply = ask(
        "POST", f"/advancedCommerce/v1/{kind}/{name}/{transaction.transactionId}",
        client._generate_token(), requestInfo={"requestReferenceId": str(uuid.uuid4())}, **body)
    renewal = reply.get("signedRenewalInfo")
    return (
        verifier.verify_and_decode_signed_transaction(reply["signedTransactionInfo"]),
        verifier.verify_and_decode_renewal_info(renewal) if renewal else None)


class Reader:
    """A customer with the app on a device."""

    def __init__(self, account):
        self.account = account
        self.token = ask(
            "POST", "/storefront/v1/sign-in", None, bundleId=ready["bundleId"],
            account=account)["token"]

    def buys(self, product, request=None):
        """Buys, with a request that Apple's library signs where there is one."""
        signed = {"advancedCommerce": {"jws": creator.create_signature(request)}} if request else {}
        bought = ask("POST", "/storefront/v1/purchases", self.token, productId=product, **signed)
        text = bought.get("signedTransactionInfo")
        return verifier.verify_and_decode_signed_transaction(text) if text else None


def info():
    return AdvancedCommerceRequestInfo(requestReferenceId=uuid.uuid4())


def bundle(**prices):
    """The request for a bundle by the month; prices in milliunits."""
    return AdvancedCommerceSubscriptionCreateRequest(
        requestInfo=info(), currency="USD", taxCode="C003-00-1", period=AdvancedCommercePeriod.P1M,
        descriptors=AdvancedCommerceDescriptors(
            displayName="The paper", description="News and more"),
        items=[
            AdvancedCommerceSubscriptionCreateItem(
                SKU=sku, displayName=sku.capitalize(), description=f"All of {sku}", price=price)
            for sku, price in prices.items()])


# MARK: Telling

def newest(transaction):
    """The newest transaction of a subscription, and what comes next."""
    own = transaction.originalTransactionId
    [last] = [
        one for group in client.get_all_subscription_statuses(own).data
        for one in group.lastTransactions if one.originalTransactionId == own]
    return (
        verifier.verify_and_decode_signed_transaction(last.signedTransactionInfo),
        verifier.verify_and_decode_renewal_info(last.signedRenewalInfo))


def skus(payload):
    return [one.SKU for one in payload.advancedCommerceInfo.items]


def must(what, is_so, found=""):
    """Ends the story where something is otherwise than it must be."""
    if not is_so:
        sys.exit(f"otherwise: {what} {found}")
    print(f"  {what}")


def comes(*names):
    """What your server must have heard since it was last asked, in any order."""
    operate("POST", "/clock/advance", by="PT1S")
    heard, arrived[:] = sorted(arrived), []
    must(f"your server hears {', '.join(names) or 'nothing'}", heard == sorted(names), heard)


def until(moment, what):
    print(f"{moment[:10]}: {what}")
    operate("POST", "/clock/advance", to=moment)


def chapter(title):
    arrived.clear()
    print(f"\n{title}")


# MARK: The story

def buying():
    chapter("A bundle of three items is bought")
    anna = Reader("anna")
    bought = anna.buys(EVERYTHING, bundle(news=9_990, chess=2_990, sport=1_990))
    must("9.99, 2.99 and 1.99 are 14.97", bought.price == 14_970)
    must("all three are in the transaction", skus(bought) == ["news", "chess", "sport"])
    comes("SUBSCRIBED/INITIAL_BUY")
    return anna, bought


def adding(anna, bought):
    chapter("One item comes in mid-cycle, for its share of the price")
    until("2026-01-25T00:00:00Z", "nothing must happen")
    added = anna.buys(EVERYTHING, AdvancedCommerceSubscriptionModifyInAppRequest(
        transactionId=bought.transactionId, requestInfo=info(), retainBillingCycle=True,
        currency="USD", addItems=[AdvancedCommerceSubscriptionModifyAddItem(
            SKU="cooking", displayName="Cooking", description="All of cooking", price=4_990,
            proratedPrice=2_500)]))
    must("2.50 is paid for the rest of the month", added.price == 2_500)
    must("the renewal date stays", added.expiresDate == bought.expiresDate)
    comes("DID_CHANGE_RENEWAL_PREF/UPGRADE")
    until("2026-02-11T00:00:00Z", "all four must have renewed at their sum")
    comes("DID_RENEW")
    paid, _ = newest(bought)
    must("14.97 and 4.99 are 19.96",
         paid.price == 19_960 and skus(paid) == ["news", "chess", "sport", "cooking"])


def raising_by_the_store(bought):
    chapter("Higher prices, the store tells and asks")
    operate("PATCH", f"/apps/{ready['bundleId']}", priceChangeRoute="storeManaged")
    _, renewal = call("changePrice", bought, currency="USD", items=[
        {"SKU": "news", "price": 10_990}, {"SKU": "chess", "price": 9_990}])
    states = [one.priceIncreaseInfo and one.priceIncreaseInfo.rawStatus
              for one in renewal.advancedCommerceInfo.items]
    must("news and chess are scheduled", states == ["SCHEDULED", "SCHEDULED", None, None])
    comes("PRICE_CHANGE")
    # Too late for 10 March: a month's notice is 27 days. 10 April is next.
    until("2026-03-15T00:00:00Z",
          "10 March must renew at the old sum, and 27 days before 10 April, on 14 March, "
          "news is told of and chess is asked for")
    comes("DID_RENEW", "PRICE_INCREASE/ACCEPTED", "PRICE_INCREASE/PENDING")
    must("still 19.96", newest(bought)[0].price == 19_960)
    until("2026-04-11T00:00:00Z", "nobody answered: chess must lapse, the others renew")
    comes("DID_RENEW")
    paid, _ = newest(bought)
    must("10.99, 1.99 and 4.99 are 17.97",
         paid.price == 17_970 and skus(paid) == ["news", "sport", "cooking"])


def raising_by_the_merchant(bought):
    chapter("Higher prices, the merchant has told and asked")
    operate("PATCH", f"/apps/{ready['bundleId']}", priceChangeRoute="merchantManaged")
    until("2026-05-08T00:00:00Z", "nothing must happen before the merchant calls")
    comes()
    # The increase of sport needs consent, and the merchant has it on record.
    call("changePrice", bought, currency="USD", items=[
        {"SKU": "news", "price": 11_990}, {"SKU": "sport", "price": 9_990}])
    comes("PRICE_CHANGE")
    until("2026-05-11T00:00:00Z",
          "10 May is a day away and more: both new prices must be charged, and nobody asked")
    comes("DID_RENEW")
    must("11.99, 9.99 and 4.99 are 26.97", newest(bought)[0].price == 26_970)


def lowering(bought):
    chapter("A lower price")
    call("changePrice", bought, currency="USD", items=[{"SKU": "sport", "price": 990}])
    comes("PRICE_CHANGE")
    until("2026-06-11T00:00:00Z", "the lower price must be charged, and nobody asked")
    comes("DID_RENEW")
    must("11.99, 0.99 and 4.99 are 17.97", newest(bought)[0].price == 17_970)


def renaming(bought):
    chapter("Names change, and nothing else")
    _, renewal = call(
        "changeMetadata", bought,
        descriptors={"effective": "IMMEDIATELY", "displayName": "The daily paper"},
        items=[{"currentSKU": "cooking", "effective": "NEXT_BILL_CYCLE", "SKU": "kitchen",
                "displayName": "Kitchen"}])
    own = renewal.advancedCommerceInfo
    must("it is called otherwise", own.descriptors.displayName == "The daily paper")
    comes("METADATA_UPDATE")
    until("2026-07-11T00:00:00Z", "it must renew at the same sum, with the new SKU")
    comes("DID_RENEW")
    paid, _ = newest(bought)
    must("17.97, and cooking is kitchen",
         paid.price == 17_970 and skus(paid) == ["news", "sport", "kitchen"])


def refunding(bought):
    chapter("One item is given back for the rest of the month")
    until("2026-07-25T00:00:00Z", "nothing must happen")
    comes()
    paid, _ = newest(bought)
    refunded, _ = call(
        "requestRefund", paid, "transaction", refundRiskingPreference=False, items=[
            {"SKU": "kitchen", "refundReason": "UNSATISFIED_WITH_PURCHASE",
             "refundType": "PRORATED", "revoke": True}])
    comes("REFUND")
    [refund] = [one.refunds[0] for one in newest(bought)[0].advancedCommerceInfo.items
                if one.refunds]
    must("of 4.99 the share of 16 days of 31 comes back",
         refund.rawRefundType == "PRORATED" and 2_500 <= refund.refundAmount <= 2_600)
    until("2026-08-11T00:00:00Z", "the rest must renew without it")
    comes("DID_RENEW")
    paid, _ = newest(bought)
    must("11.99 and 0.99 are 12.98", paid.price == 12_980 and skus(paid) == ["news", "sport"])


def revoking(bought):
    chapter("The whole subscription is revoked")
    until("2026-08-20T00:00:00Z", "nothing must happen")
    comes()
    call("revoke", bought, refundReason="LEGAL", refundType="FULL", refundRiskingPreference=False)
    comes("DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_DISABLED", "REFUND")
    paid, renewal = newest(bought)
    must("what was paid for the month is given back", paid.revocationDate is not None)
    must("it does not renew", renewal.rawAutoRenewStatus == 0)
    until("2026-09-11T00:00:00Z", "nothing must renew")
    comes()


def migrating():
    chapter("An ordinary subscription becomes the merchant's")
    ben = Reader("ben")
    classic = ben.buys(CLASSIC)
    comes("SUBSCRIBED/INITIAL_BUY")
    moved, renewal = call(
        "migrate", classic, targetProductId=EVERYTHING, taxCode="C003-00-1",
        descriptors={"displayName": "The paper", "description": "News and more"},
        items=[{"SKU": "classic", "displayName": "Classic", "description": "As it always was"}])
    must("it is a subscription of its own",
         moved.productId == EVERYTHING
         and moved.originalTransactionId != classic.originalTransactionId)
    comes("MIGRATION")
    until("2026-10-12T00:00:00Z", "it must renew at the price that it had")
    comes("DID_RENEW")
    must("7.99", newest(moved)[0].price == 7_990)


server = HTTPServer(("127.0.0.1", 0), Server)
threading.Thread(target=server.serve_forever, daemon=True).start()
operate("PATCH", f"/apps/{ready['bundleId']}",
        notificationUrl=f"http://127.0.0.1:{server.server_port}/")
operate("PUT", f"/apps/{ready['bundleId']}/products/{EVERYTHING}/advanced-commerce", isGeneric=True)

anna, bought = buying()
adding(anna, bought)
raising_by_the_store(bought)
raising_by_the_merchant(bought)
lowering(bought)
renaming(bought)
refunding(bought)
revoking(bought)
migrating()
print("\nEverything was as it must be.")
