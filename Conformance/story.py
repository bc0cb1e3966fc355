"""The customer's and the operator's side, in words: /storefront and /connect."""

import requests


class Refused(Exception):
    """A surface of the store refused: its status and its error code."""

    def __init__(self, response):
        self.status = response.status_code
        self.error = response.json().get("error") if response.content else None
        super().__init__(f"{self.status} {response.text}")


class Surface:
    """Calls one surface with a token; what it gives out signed is verified."""

    def __init__(self, url, token, developer):
        self._url = url
        self._developer = developer
        self._session = requests.Session()
        if token:
            self._session.headers["Authorization"] = f"Bearer {token}"

    def __call__(self, method, path, json=None, **query):
        response = self._session.request(
            method, self._url + path, json=json, params=query, timeout=120)
        if not response.ok:
            raise Refused(response)
        if not response.content:
            return None
        reply = response.json()
        self._developer.check(reply)
        return reply


class Operator:
    """Whoever runs the store."""

    def __init__(self, server, developer):
        self._call = Surface(
            server.url(developer.environment) + "/connect/v1", server.ready["operatorToken"], developer)
        self._app = f"/apps/{server.bundle_id}"

    def now(self):
        """What the clock shows, in milliseconds."""
        return self._call("GET", "/clock")["nowMilliseconds"]

    def wait(self, by):
        """Lets time pass: an ISO 8601 duration. Returns how much happened."""
        return self._call("POST", "/clock/advance", {"by": by})["changes"]

    def wait_until(self, moment):
        return self._call("POST", "/clock/advance", {"to": moment})["changes"]

    def settle(self):
        """Lets what is due happen, and be delivered, without any time passing."""
        self.wait_until(self._call("GET", "/clock")["now"])

    def configure(self, **settings):
        return self._call("PATCH", self._app, settings)

    def listen(self, listener, production, sandbox):
        self.configure(
            notificationUrl=listener.url(production), sandboxNotificationUrl=listener.url(sandbox))

    def payments(self, account, behaviour, **limits):
        """Has an account's payment method `approve` or `decline`."""
        self._call(
            "PUT", f"/customers/{account}/payment-method", {"behaviour": behaviour, **limits})

    def timeline(self, original_transaction_id):
        return self._call("GET", f"/subscriptions/{original_transaction_id}/timeline")["entries"]

    def requests(self, original_transaction_id):
        """What servers and devices have asked of Advanced Commerce for a subscription."""
        return self._call("GET", f"/subscriptions/{original_transaction_id}/requests")["requests"]

    def mailbox(self, **of):
        """What the store wrote, without texts, of a choice that fits into a page."""
        page = self._call("GET", "/mailbox", limit=200, **of)
        assert not page["hasMore"]
        return page["mails"]

    def notifications(self):
        return self._call("GET", "/notifications", limit=200)["notifications"]

    def adds_fault(self, kind, **details):
        """Makes the outside go wrong from now on; returns the rule's number."""
        return self._call("POST", "/faults", {"kind": kind, **details})["id"]

    def removes_fault(self, fault):
        self._call("DELETE", f"/faults/{fault}")

    def shares(self, original_transaction_id, choice):
        """Shares a purchase with its purchaser's family, or stops that: `on` or `off`."""
        self._call(
            "PUT", f"/transactions/{original_transaction_id}/sharing", {"sharing": choice})

    def decides_refunds(self, policy):
        """Who decides about refunds: `manual`, `approve`, `decline` or `developer`."""
        self.configure(refundPolicy=policy, sandboxRefundPolicy=policy)

    def refund_requests(self):
        return self._call("GET", "/refund-requests")["refundRequests"]

    def grants(self, request, extent="full"):
        self._call("POST", f"/refund-requests/{request}/grant", {"extent": extent})

    def declines(self, request):
        self._call("POST", f"/refund-requests/{request}/decline")

    def sets(self, account, **settings):
        """Sets what becomes of what an account wants to buy."""
        return self._call("PATCH", f"/customers/{account}", settings)

    def refunds(self, transaction_id, extent="full", **details):
        """Gives a price back without being asked: customer support's cancellation."""
        self._call("POST", f"/transactions/{transaction_id}/refund", {"extent": extent, **details})

    def reverses_refund(self, transaction_id):
        self._call("POST", f"/transactions/{transaction_id}/reverse-refund")

    def schedules_price(self, product, price, storefront="USA", existing="apply", **details):
        """Sets a price, in milliunits, which is live at once unless `start` says when."""
        self._call("PUT", f"{self._app}/products/{product}/price-changes/{storefront}",
                   {"price": price, "existing": existing, **details})

    def bills_monthly(self, product, price):
        """Lets a year be paid month by month under a commitment, at a price in milliunits."""
        self._call("PUT", f"{self._app}/products/{product}/monthly-billing",
                   {"price": price, "enabled": True})

    def makes_family(self, organiser, *others):
        """Makes a family; returns its number."""
        return self._call("POST", "/families", {
            "organiser": organiser.account,
            "members": [other.account for other in others]})["id"]

    def devices(self, account):
        """The numbers of a customer's devices."""
        return [one["id"] for one in self._call("GET", f"/customers/{account}/devices")["devices"]]

    def shared_secret(self):
        """What servers send to verifyReceipt, of all apps."""
        return self._call("GET", "/shared-secret")["sharedSecret"]

    def app_secret(self):
        """What servers send to verifyReceipt, of this app."""
        return self._call("GET", f"{self._app}/shared-secret")["sharedSecret"]

    def removes(self, family, member):
        """Removes somebody from a family."""
        self._call("DELETE", f"/families/{family}/members/{member.account}")


class Customer:
    """Somebody with the app on a device."""

    def __init__(self, server, developer, account, **details):
        url = server.url(developer.environment) + "/storefront/v1"
        self.account = account
        self._developer = developer
        signed_in = Surface(url, None, developer)(
            "POST", "/sign-in", {"bundleId": server.bundle_id, "account": account, **details})
        self.app_transaction = developer.app_transaction(signed_in["appTransaction"])
        self.token = signed_in["token"]
        self._call = Surface(url, self.token, developer)

    def products(self):
        return self._call("GET", "/products")["products"]

    def buys(self, product, **details):
        """Buys; returns the transaction, or nothing where a change waits for the renewal."""
        bought = self._call("POST", "/purchases", {"productId": product, **details})
        assert bought["result"] == "success"
        signed = bought.get("signedTransactionInfo")
        return self._developer.transaction(signed) if signed else None

    def asks_for(self, product):
        """Buys what somebody else approves; returns the request's number."""
        return self._call("POST", "/purchases", {"productId": product})["requestId"]

    def transactions(self, **query):
        """Everything that the device sees, oldest first, with the transaction decoded."""
        found, after = [], None
        while True:
            paging = {"after": after} if after else {}
            page = self._call("GET", "/transactions", limit=50, **paging, **query)
            found += page["transactions"]
            if not page["hasMore"]:
                break
            after = page["transactions"][-1]["transactionId"]
        for one in found:
            one["transaction"] = self._developer.transaction(one["signedTransactionInfo"])
        return found

    def receipt(self, of=None):
        """The app receipt, or that of one transaction, in Base64."""
        path = f"/transactions/{of}/receipt" if of else "/receipt"
        return self._call("GET", path)["receipt"]

    def restores(self):
        """How many transactions wait again."""
        return self._call("POST", "/restore")["restored"]

    def updates(self, after=None):
        return self._call("GET", "/updates", **({"after": after} if after else {}))

    def signs_out(self):
        self._call("DELETE", "/sign-in")

    def unfinished(self):
        return [one["transactionId"] for one in self.transactions(unfinished="true")]

    def finishes(self, transaction_id):
        self._call("POST", f"/transactions/{transaction_id}/finish")

    def entitlements(self):
        return [one["productId"] for one in self._call("GET", "/entitlements")["entitlements"]]

    def subscriptions(self):
        return self._call("GET", "/subscriptions")["subscriptions"]

    def turns_renewal(self, on, subscription):
        self._call("PATCH", f"/subscriptions/{subscription}", {"autoRenew": on})

    def answers_increase(self, answer, subscription):
        """`agree` or `decline`."""
        return self._call("PATCH", f"/subscriptions/{subscription}", {"priceIncrease": answer})

    def messages(self):
        return self._call("GET", "/messages")["messages"]

    def in_app_messages(self):
        """What the store shows in the app."""
        return self._call("GET", "/in-app-messages", limit=200)["messages"]

    def sees(self, message):
        self._call("POST", f"/in-app-messages/{message}/seen")

    def asks_for_refund(self, transaction_id, reason="OTHER"):
        return self._call(
            "POST", f"/transactions/{transaction_id}/refund-request", {"reason": reason})
