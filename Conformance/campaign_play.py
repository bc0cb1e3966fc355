"""A campaign that is played day by day: a store, a merchant, a relay that takes its mails."""

import json
import socket
import tempfile
import uuid
from collections import defaultdict
from datetime import date, datetime, timedelta, timezone

import yaml
from aiosmtpd.controller import Controller
from appstoreserverlibrary.models.AdvancedCommerceDescriptors import AdvancedCommerceDescriptors
from appstoreserverlibrary.models.AdvancedCommerceOffer import AdvancedCommerceOffer
from appstoreserverlibrary.models.AdvancedCommerceOfferPeriod import AdvancedCommerceOfferPeriod
from appstoreserverlibrary.models.AdvancedCommerceOfferReason import AdvancedCommerceOfferReason
from appstoreserverlibrary.models.AdvancedCommercePeriod import AdvancedCommercePeriod
from appstoreserverlibrary.models.AdvancedCommerceSubscriptionCreateRequest import (
    AdvancedCommerceSubscriptionCreateRequest)
from appstoreserverlibrary.models.Environment import Environment
from apple import Developer
from campaign_table import BEGIN
from merchant import EVERYTHING, Merchant, info, item
from merchant_process import MerchantProcess, command
from perennial import PAPER, Perennial
from push_service import PushService
from story import Customer, Operator

TEXT = "Subscription price increase\n{oldPrice} {newPrice} {date}\n{manageUrl}\n{answerUrl}\n"
WHOLE = {"KRW", "JPY", "SEK", "INR"}


class Relay:
    """An SMTP server that takes everything."""

    def __init__(self):
        self.mails = []
        with socket.create_server(("127.0.0.1", 0)) as free:
            self.port = free.getsockname()[1]
        self._controller = Controller(self, hostname="127.0.0.1", port=self.port)
        self._controller.start()

    async def handle_DATA(self, server, session, envelope):
        self.mails.append((envelope.rcpt_tos, envelope.content.decode()))
        return "250 OK"

    def take(self):
        taken, self.mails[:] = list(self.mails), []
        return taken

    def close(self):
        self._controller.stop()


class Play:
    """The world of a campaign, and what was seen in it on each day."""

    def __init__(
            self, kinds, route="merchantManaged", catalogue=PAPER, days_after=40, databases=None):
        """`days_after` is how long it goes on after the last renewal at a new price; `databases`
        are the URLs of the store's and the merchant's, which keep files unless they are given."""
        databases = databases or [None, None]
        self.kinds, self.route, self._days_after = kinds, route, days_after
        self.relay = Relay()
        self.server = Perennial(
            at="2026-01-01T00:00:00Z", catalogue=catalogue, database=databases[0]).__enter__()
        self._folder = tempfile.TemporaryDirectory(prefix="perennial-push-")
        self.push = PushService(self._folder.name)
        self.merchant = MerchantProcess(
            self.server, *(["--database-url", databases[1]] if databases[1] else []),
            configuration=self.configuration(),
            files={"push.p8": self.push.key.read_bytes()})
        self.tokens = {token_of(kind): kind.name for kind in kinds}
        self.customers, self.bought = {}, {}
        self.mails, self.pushes = defaultdict(list), defaultdict(list)
        self.offered = defaultdict(dict)
        self.troubles = []
        try:
            self.wire()
        except BaseException:
            self.close()
            raise

    def wire(self):
        """The merchant hears of what happens, and says who tells of higher prices."""
        self.developer = Developer(self.server, Environment.PRODUCTION)
        self.operator = Operator(self.server, self.developer)
        self.sells = Merchant(self.server, self.developer)
        self.sells.generic(EVERYTHING)
        self.operator.configure(
            gracePeriod="SIXTEEN_DAYS", priceChangeRoute=self.route,
            notificationUrl=self.merchant.app["notificationUrls"]["production"])
        self.ready = self.merchant.folder / "both.json"
        self.ready.write_text(json.dumps(
            {"store": self.server.ready, "merchant": self.merchant.ready}))

    def configuration(self):
        return yaml.safe_dump({
            "apps": [{"store": "store.json"}],
            "mail": {"relay": f"smtp://127.0.0.1:{self.relay.port}", "startTLS": "off"},
            "push": {"key": "push.p8", "keyId": "ABC1234567", "teamId": "DEF1234567",
                     "production": f"http://127.0.0.1:{self.push.port}"}})

    def close(self):
        self.merchant.stop()
        self.server.stop()
        self.relay.close()
        self.push.close()
        self._folder.cleanup()

    def command(self, *words):
        return command(self.ready, *words)

    def app(self, method, path, json=None):
        reply = self.merchant.call(
            method, f"/v1/apps/{self.server.bundle_id}/{path}", self.merchant.app["serverToken"],
            json)
        assert reply.ok, f"{method} {path}: {reply.status_code} {reply.text}"
        return reply.json() if reply.content else None

    # Before it

    def deeds(self):
        """What happens when, before and beside the campaign: moment, what, kind, details."""
        found = []
        for kind in self.kinds:
            hour = f"T{kind.hour:02}:00:00Z"
            found.append((kind.bought + hour, "buy", kind, ()))
            for what, day, *details in kind.life:
                found.append((day + hour, what, kind, details))
            for what, before in kind.does:
                found.append((f"{kind.at - timedelta(days=before)}{hour}", what, kind, ()))
        return sorted(found, key=lambda one: one[0])

    def live(self, rehearse=None):
        """Lets everybody buy, runs the campaign, and sees each day what there is."""
        waiting = defaultdict(list)
        for moment, *deed in self.deeds():
            if moment < str(BEGIN):
                self.operator.wait_until(moment)
                self.act(*deed)
            else:
                # Beside the campaign everything happens in the evening, after a look.
                waiting[moment[:10]].append(deed)
        self.operator.wait_until(f"{BEGIN - timedelta(days=1)}T20:00:00Z")
        self.merchant.settle()
        self.relay.take()
        if rehearse is not None:
            self.rehearsed = self.merchant.operate(
                "POST", "campaigns/rehearse", {**self.files("spring"), **rehearse})
        self.begin()
        last = max(kind.at for kind in self.kinds) + timedelta(days=self._days_after)
        day = BEGIN
        while day <= last:
            self.command("advance", "--to", f"{day}T20:00:00Z")
            self.merchant.settle()
            self.look(day)
            for deed in waiting.pop(str(day), []):
                self.act(*deed)
            self.take_mails(day)
            day += timedelta(days=1)
        assert not waiting, waiting

    def look(self, day):
        """Asks for everybody's sheets, as an app at its launch."""
        self.take_mails(day)
        for kind in self.kinds:
            if kind.name in self.bought:
                sheets = self.app("GET", f"accounts/{kind.name}/sheets")["sheets"]
                self.offered[kind.name][day] = sheets

    def take_mails(self, day):
        for recipients, text in self.relay.take():
            for one in recipients:
                self.mails[one.split("@")[0]].append((day, text))
        for token, _, payload in self.push.take():
            self.pushes[self.tokens[token]].append((day, payload))

    def act(self, what, kind, details):
        getattr(self, f"do_{what}")(kind, *details)

    def do_buy(self, kind):
        customer = Customer(
            self.server, self.developer, kind.name, storefront=kind.storefront)
        more = {}
        if kind.offer:
            period, count, price = kind.offer
            more["offer"] = AdvancedCommerceOffer(
                period=AdvancedCommerceOfferPeriod(period), periodCount=count, price=price,
                reason=AdvancedCommerceOfferReason.ACQUISITION)
        old = next((one[2] for one in kind.life if one[0] == "raised"), kind.old)
        items = [item(kind.name, old, **more)]
        items += [item(sku, old) for sku, old, _ in kind.more]
        request = AdvancedCommerceSubscriptionCreateRequest(
            requestInfo=info(), currency=kind.currency, storefront=kind.storefront,
            taxCode="C003-00-1", items=items, period=AdvancedCommercePeriod(kind.period),
            descriptors=AdvancedCommerceDescriptors(displayName="The paper", description="News"))
        bought = self.sells.sells(customer, request)
        self.customers[kind.name], self.bought[kind.name] = customer, bought
        signed = self.developer.get_transaction_info(bought.transactionId).signedTransactionInfo
        self.merchant.owns(kind.name, signed)
        if not kind.contact:
            return
        self.app("PUT", f"accounts/{kind.name}/contact", {
            "email": f"{kind.name}@example.com", "locale": "en", "pushTokens": [
                {"token": token_of(kind), "environment": "production"}]})

    def do_off(self, kind):
        self.customers[kind.name].turns_renewal(
            False, self.bought[kind.name].originalTransactionId)

    do_cancel = do_off

    def do_on(self, kind):
        self.customers[kind.name].turns_renewal(
            True, self.bought[kind.name].originalTransactionId)

    def do_fails(self, kind):
        self.operator.payments(kind.name, "decline")

    def do_recovers(self, kind):
        self.operator.payments(kind.name, "approve")

    def do_raised(self, kind, _):
        """An increase before: from what it cost to what it costs when the campaign begins."""
        self.sells.calls("changePrice", self.bought[kind.name], {
            "requestInfo": {"requestReferenceId": str(uuid.uuid4())}, "currency": kind.currency,
            "storefront": kind.storefront, "items": [{"SKU": kind.name, "price": kind.old}]})

    def answer(self, kind, action):
        """Shows the newest sheet, and taps a button."""
        sheets = self.app("GET", f"accounts/{kind.name}/sheets")["sheets"]
        if not sheets:
            self.troubles.append(f"{kind.name}: no sheet to {action}")
            return
        sheet = sheets[-1]
        path = f"accounts/{kind.name}/sheets/{sheet['id']}"
        self.app("POST", path, {"action": "shown"})
        if action != "shown":
            self.app("POST", path, {"action": action})

    def do_shown(self, kind):
        self.answer(kind, "shown")

    def do_acknowledged(self, kind):
        self.answer(kind, "acknowledged")

    def do_agree(self, kind):
        self.answer(kind, "agree")

    def do_decline(self, kind):
        self.answer(kind, "decline")

    # The campaign

    def files(self, name):
        prices = []
        for kind in self.kinds:
            # A file with India in it is refused: a test of its own.
            if kind.campaign == name and kind.storefront != "IND":
                for sku, new in [(kind.name, kind.new), *[(sku, new) for sku, _, new in kind.more]]:
                    prices.append({"sku": sku, "to": {kind.storefront: said(new, kind.currency)}})
        text = {
            "campaign": name, "app": self.server.bundle_id, "kind": "price", "route": self.route,
            "from": str(BEGIN), "prices": prices}
        if name == "asking":
            text |= {"silent": "keepAsking", "declined": "cancel"}
        if self.route == "merchantManaged":
            text |= {
                "mail": {"from": "news@example.com", "subject": "Your subscription price increases",
                         "text": "increase.txt"},
                "sheet": {"title": "Your subscription price increases",
                          "body": "{oldPrice} {newPrice} {date}"},
                "push": {"title": "Price", "body": "{newPrice}"}}
        return {"file": yaml.safe_dump(text),
                "attachments": [{"name": "increase.txt", "text": TEXT}]}

    @property
    def campaigns(self):
        return sorted({kind.campaign for kind in self.kinds})

    def begin(self):
        for name in self.campaigns:
            self.merchant.operate(
                "POST", "campaigns/run", {**self.files(name), "go": True})

    # What came of it

    def pages(self, path, member, **query):
        found, after = [], None
        while True:
            page = self.merchant.call(
                "GET", f"/v1/apps/{self.server.bundle_id}/{path}",
                self.merchant.ready["operatorToken"], limit=200,
                **query, **({"after": after} if after else {})).json()
            assert member in page, page
            found += page[member]
            after = page.get("next")
            if not after or not page[member]:
                return found

    def messages(self, name="spring"):
        return self.pages(f"campaigns/{name}/messages", "messages")

    def report(self, name="spring"):
        reply = self.merchant.call(
            "GET", f"/v1/apps/{self.server.bundle_id}/campaigns/{name}/report",
            self.merchant.ready["operatorToken"])
        assert reply.ok, reply.text
        return reply.json()

    def subscribers(self, name="spring"):
        return {one["account"]: one for one in self.pages(
            f"campaigns/{name}/subscribers", "subscribers") if "account" in one}

    def owed(self, kind):
        """What the table says of each bill that there was, from the campaign's begin on."""
        return kind.owed([day for day in self.bills(kind.name) if day >= BEGIN])

    def paid(self, kind):
        return {day: price for day, price in self.bills(kind.name).items() if day >= BEGIN}

    def requests(self, kind):
        """The calls that the store has noted for a subscription."""
        of = self.bought[kind.name].originalTransactionId
        return self.operator.requests(of)

    def offers(self, kind):
        """The days on which an app that is opened each day shows a sheet."""
        return [day for day, sheets in self.offered[kind.name].items() if sheets]

    def bills(self, name):
        """What was paid, by the day on which each period began: Apple's library reads it."""
        found = {}
        for page in self.developer.pages(self.bought[name].transactionId):
            for signed in page.signedTransactions:
                one = self.developer.transaction(signed)
                found[day_of(one.purchaseDate)] = one.price
        return dict(sorted(found.items()))


def token_of(kind):
    return uuid.uuid5(uuid.NAMESPACE_URL, kind.name).hex * 2


def said(milliunits, currency):
    whole = currency in WHOLE
    return f"{milliunits // 1000}" if whole else f"{milliunits / 1000:.2f}"


def day_of(milliseconds):
    return datetime.fromtimestamp(milliseconds / 1000, timezone.utc).date()
