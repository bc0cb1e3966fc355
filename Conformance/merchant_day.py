"""A store, a merchant and the people between them, of whom a story tells."""

from appstoreserverlibrary.models.Status import Status
from conftest import Garden
from merchant_story import signed
from merchant_table import Faults, Table
from perennial import BOTH

# Which of Apple's statuses is which of the merchant's words.
STATUSES = {
    Status.ACTIVE: {"active"}, Status.EXPIRED: {"expired"}, Status.BILLING_RETRY: {"billingRetry"},
    Status.BILLING_GRACE_PERIOD: {"gracePeriod"}, Status.REVOKED: {"refunded", "sharingEnded"}}


class Day:
    """A store, a merchant, and the people between them."""

    def __init__(self, server, merchant):
        self.server = server
        self.merchant = merchant
        self.table = Table(merchant)
        self.production, self.sandbox = [Garden(server, None, one) for one in BOTH]
        self.operator = self.production.operator
        self.faults = Faults(self.operator, self.sandbox.operator)
        self.people = {}
        self.lost = None
        urls = merchant.app["notificationUrls"]
        self.operator.configure(
            notificationUrl=urls["production"], sandboxNotificationUrl=urls["sandbox"],
            gracePeriod="SIXTEEN_DAYS")

    # What happens. Each act has its own minute, as in life: no two are signed at one instant.

    def __getattr__(self, account):
        """Somebody at the store in Production, by the name of the account."""
        if account.startswith("_") or account not in self.people:
            raise AttributeError(account)
        return self.people[account]

    def comes(self, *accounts):
        for account in accounts:
            self.people[account] = self.production.customer(account)

    def passes(self, by="PT1M"):
        self.operator.wait(by)

    def buys(self, account, product, garden=None):
        """Buys, and the app shows it to the merchant."""
        customer = garden.customer(account) if garden else self.people[account]
        bought = customer.buys(product)
        if bought:
            self.shows(account, customer, bought)
        return bought

    def shows(self, account, customer, transaction, **more):
        return self.merchant.owns(account, signed(customer, transaction), **more)

    def moved(self, account):
        """How the newest purchase of an account moved, and who has to do with it."""
        reply = self.merchant.call(
            "GET", f"/v1/apps/{self.merchant.app['bundleId']}/accounts/{account}/transfers",
            self.merchant.app["serverToken"])
        newest = reply.json()["transfers"][0]
        return newest["kind"], newest["other"], newest["how"]

    def card(self, account, behaviour):
        self.operator.payments(account, behaviour)

    # What is compared

    def until(self, moment, what, heals=True, **must):
        """States what everybody must see, moves the clock, settles, and compares."""
        self.table.must(**must)
        self.operator.wait_until(moment)
        self.settle(heals)
        differences = self.table.see(f"{what} ({moment})")
        if heals:
            differences += self.disagreements()
        return differences

    def settle(self, heals=True):
        self.operator.settle()
        self.merchant.settle()
        if not heals:
            return
        # A look that was interrupted goes on with the next one.
        for _ in range(5):
            reports = self.merchant.operate("POST", "gaps/heal", {})["gaps"]
            if all(one["state"] == "done" for one in reports):
                break
        assert all(one["state"] == "done" for one in reports), reports
        assert [one["problem"] for one in reports if "problem" in one] == []

    def disagreements(self):
        """Where a subscription's status is another one than Apple's client gets."""
        found = []
        gardens = {one.environment.value: one for one in (self.production, self.sandbox)}
        for account in self.table.accounts:
            for one in self.merchant.customer(account)["subscriptions"]:
                number = one["originalTransactionId"]
                reply = gardens[one["environment"]].developer.get_all_subscription_statuses(number)
                [status] = [
                    last.status for group in reply.data for last in group.lastTransactions
                    if last.originalTransactionId == number]
                if one["status"] not in STATUSES[status]:
                    found.append(
                        f"{account:6} has {number} as {one['status']}, the App Store {status.name}")
        return found
