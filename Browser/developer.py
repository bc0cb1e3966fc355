"""A developer's machine: a store with a merchant beside it, as `perennial dev` runs them."""

import json
import re
import subprocess
import urllib.error
import urllib.request

from browser import PATIENCE, size
from store import BINARY, Environment, Store

PHONE, WATCH, DESK = (390, 844), (184, 224), (1280, 900)


class Pair(Store):
    """`perennial dev` on free ports, in memory, with a clock that stands still."""

    VERB = ["dev", "--merchant-port", "0"]

    def __init__(self, *options, **how):
        super().__init__(*options, **how)
        self.merchant = self.ready["merchant"]
        self.ready = self.ready["store"]
        [app] = self.merchant["apps"]
        self.app, self._app_token = app["bundleId"], app["appToken"]
        self.shop_url = self.merchant["url"].rstrip("/")
        # For commands that are to know nothing of the merchant.
        self.store_alone = self.folder / "store.json"
        self.store_alone.write_text(json.dumps(self.ready))

    def buy_behind_the_merchant(self, product, account):
        """Buys as a customer whose app tells the merchant nothing."""
        subprocess.run(
            [str(BINARY), "buy", product, "--account", account, "--ready", str(self.store_alone)],
            stdin=subprocess.DEVNULL, capture_output=True, check=True, timeout=120)

    def demo_link(self):
        """The one address that it has printed."""
        return re.search(r"http://\S+/\?code=\S+", self.log())[0]

    def merchant_call(self, method, path, body=None):
        """What the merchant answers to its operator; nothing where it answers nothing."""
        return self._call(method, path, body, self.merchant["operatorToken"])

    def app_call(self, method, path, body=None):
        """What it answers to the app, below an account."""
        return self._call(
            method, f"/v1/apps/{self.app}/accounts/{path}", body, self._app_token)

    def console_link(self):
        """A link that opens the merchant's console once."""
        return self.command("merchant", "console")

    def app_link(self, account):
        """A link that signs somebody in to the shop, as the app makes it."""
        return self.shop_url + self.app_call("POST", f"{account}/shop-link")["path"]

    def notify(self, signed):
        """Posts a notification to the merchant. Returns the status."""
        try:
            self._call("POST", f"/apple/v2/{self.app}", {"signedPayload": signed}, None)
            return 200
        except urllib.error.HTTPError as error:
            return error.code

    def _call(self, method, path, body, token):
        request = urllib.request.Request(
            self.shop_url + path, None if body is None else json.dumps(body).encode(),
            {"Content-Type": "application/json"}, method=method)
        if token:
            request.add_header("Authorization", f"Bearer {token}")
        with urllib.request.urlopen(request, timeout=60) as answer:
            told = answer.read()
        return json.loads(told) if told else None


class People:
    """Opens tabs as customers of the shop, as the merchant's operator, and in the demonstration."""

    def __init__(self, chromium, pair):
        self._chromium, self.pair = chromium, pair
        self._demo = None

    def stranger(self, script=True, **options):
        context = self._chromium.new_context(**{
            "viewport": size(DESK), "reduced_motion": "reduce", "locale": "en-US",
            "timezone_id": "UTC", "java_script_enabled": script, **options})
        context.set_default_timeout(PATIENCE)
        return context

    def customer(self, account, **options):
        """A context in which somebody shops; signed in as the development sign-in does it."""
        context = self.stranger(**options)
        answer = context.request.post(
            f"{self.pair.shop_url}/shop/sign-in",
            form={"app": self.pair.app, "account": account}, max_redirects=0,
            headers={"Sec-Fetch-Site": "same-origin"})
        assert answer.status == 303, answer.text()
        return context

    def operator(self, **options):
        """A context with sessions of the demonstration and of all consoles.

        Another state of one such context can be given.
        """
        if self._demo is None:
            context = self.stranger()
            tab = context.new_page()
            tab.goto(self.pair.demo_link())
            tab.get_by_role("button", name="Open the demonstration").click()
            tab.wait_for_url(self.pair.shop_url + "/")
            self._demo = context.storage_state()
            context.close()
        return self.stranger(**{"storage_state": self._demo, **options})


def production(pair):
    return Environment(pair, "production")
