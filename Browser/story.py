"""An operator who has a browser: goes by links, fills in forms, pushes buttons."""

import itertools
import re

from playwright.sync_api import expect

# For names that no other test knows.
# Where pages of the navigation are that do not open their group.
GROUPS = {
    "Families": "Customers", "Requests": "Customers", "Extensions": "Customers",
    "Mailbox": "Customers", "Codes": "Catalogue", "Refunds and bills": "Money",
    "Faults": "Notifications", "Forgeries": "Notifications"}

NUMBERS = itertools.count(1)


class Operator:
    """Somebody in a tab of one environment's console."""

    def __init__(self, context, environment, script=True):
        self.environment = environment
        self._has_script = script
        self.tab = context.new_page()
        self.tab.goto(environment.url + "/console")

    def follows(self, name, within="main"):
        """Follows the link of a name."""
        self.tab.locator(within).get_by_role("link", name=name, exact=True).first.click()

    def goes_to(self, name):
        """A page of the navigation: a group's first page, or one that its group shows."""
        if name in GROUPS:
            self.follows(GROUPS[name], within="nav")
            self.follows(name, within="nav .group")
        else:
            self.follows(name, within="nav")

    def pushes(self, name):
        self.tab.locator("main").get_by_role("button", name=name).click()

    def fills_in(self, label, text):
        self.tab.get_by_label(label, exact=True).fill(text)

    def ticks(self, label):
        self.tab.get_by_label(label, exact=True).check()

    def chooses(self, label, choice):
        self.tab.get_by_label(label, exact=True).select_option(choice)

    def sees(self, text):
        expect(self.tab.locator("main")).to_contain_text(text)

    def sees_heading(self, text):
        expect(self.tab.get_by_role("heading", level=1)).to_contain_text(text)

    # What takes several of these.

    def looks_up(self, account):
        """Finds a customer by the search."""
        self.goes_to("Customers")
        self.fills_in("Find a customer or a purchase", account)
        self.pushes("Search")
        self.follows(account)
        self.sees_heading(account)

    def opens_subscription(self, account):
        self.looks_up(account)
        product = self.environment.subscription(account)["productId"]
        self.follows(product)
        self.sees_heading(product)

    def begins(self, act, account):
        """Opens the page of something that can be done with an account's subscription."""
        self.opens_subscription(account)
        self.follows(act)
        self.sees_heading(act)

    def previews(self):
        self.pushes("See what it will do")

    def does(self, button, act=None):
        """Pushes a button that shows what will be done, and the button below that does it."""
        self.pushes(button)
        self.tab.get_by_role("region", name="What it will do").get_by_role(
            "button", name=act or button, exact=True).click()

    def confirms(self, act):
        """Pushes the button below what it will do; the page of the subscription is next."""
        self.tab.get_by_role("region", name="What it will do").get_by_role(
            "button", name=act).click()
        self.tab.wait_for_url(re.compile(r"/console/subscriptions/\d+\?done=doAct$"))

    def lets_go_by(self, step):
        """Moves the clock by one of the links, such as `One month`."""
        self.goes_to("Clock")
        self.follows(step)
        self.moves_the_clock()

    def lets_go_by_as_much_as(self, text):
        """Moves the clock by what one writes, such as `P3M`."""
        self.goes_to("Clock")
        self.fills_in("How far", text)
        self.pushes("See what falls due")
        self.moves_the_clock()

    def moves_the_clock(self):
        self.sees_heading("Until")
        self.pushes("Move the clock to")
        self.waits_for_the_clock()

    def waits_for_the_clock(self):
        """Where scripts run the page comes to the end by itself; else one looks again."""
        heading = self.tab.get_by_role("heading", level=1)
        again = self.tab.locator("main").get_by_role("link", name="Look again")
        while not self._has_script and again.count():
            again.click()
            self.tab.wait_for_timeout(100)
        expect(heading).to_contain_text("It is", timeout=60_000)
