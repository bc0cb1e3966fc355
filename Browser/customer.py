"""A customer who has a browser: looks at the pages of the own account."""

from urllib.parse import quote

from account_people import APP
from browser import PATIENCE, WIDE, size
from playwright.sync_api import expect


def path(*parts, **query):
    """The path of a page of the account: `path("purchases", "7")`."""
    asked = "&".join(f"{name}={quote(str(value), safe='')}" for name, value in query.items())
    words = "/".join(["/account", *(quote(part, safe="") for part in parts)])
    return f"{words}?{asked}" if asked else words


class Visitors:
    """Opens tabs of customers, who are signed in already unless it is a stranger."""

    def __init__(self, chromium, environment):
        self._chromium = chromium
        self.environment = environment

    def stranger(self, script=True, **options):
        context = self._chromium.new_context(**{
            "viewport": size(WIDE), "reduced_motion": "reduce", "locale": "en-US",
            "timezone_id": "UTC", "java_script_enabled": script, **options})
        context.set_default_timeout(PATIENCE)
        return context

    def context(self, account, **options):
        """A context with a session of the customer's."""
        context = self.stranger(**options)
        answer = context.request.post(
            self.environment.url + path("sign-in"), max_redirects=0,
            form={"app": APP, "account": account},
            headers={"Sec-Fetch-Site": "same-origin"})
        assert answer.status == 303, answer.text()
        return context


class Customer:
    """Somebody in a tab who clicks."""

    def __init__(self, context, environment):
        self.environment = environment
        self.tab = context.new_page()

    def opens(self, *parts, **query):
        return self.tab.goto(self.environment.url + path(*parts, **query))

    def signs_in(self, account):
        self.opens()
        self.tab.get_by_label("Account", exact=True).fill(account)
        self.tab.get_by_role("button", name="Sign In").click()
        self.sees_heading("Subscriptions")

    def goes_to(self, name):
        self.tab.locator("nav").get_by_role("link", name=name, exact=True).click()

    def follows(self, name, within="main"):
        self.tab.locator(within).get_by_role("link", name=name, exact=True).first.click()

    def pushes(self, name, within="main"):
        self.tab.locator(within).get_by_role("button", name=name, exact=True).first.click()

    def fills_in(self, label, text):
        self.tab.get_by_label(label, exact=True).fill(text)

    def ticks(self, label):
        self.tab.get_by_label(label, exact=True).check()

    def sees(self, text, within="main"):
        expect(self.tab.locator(within).first).to_contain_text(text)

    def sees_heading(self, text):
        expect(self.tab.get_by_role("heading", level=1)).to_contain_text(text)

    def text(self):
        return self.tab.locator("main").inner_text()
