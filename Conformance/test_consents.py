"""The proof of a subscriber's consent: a stranger checks it with `openssl`, by the commands that
docs/campaigns.md shows."""

import json
import re
import subprocess
from pathlib import Path

import pytest
import requests
from appstoreserverlibrary.models.Environment import Environment
from conftest import Garden
from merchant import EVERYTHING, Merchant, bundle, item
from merchant_process import DevProcess
from merchant_story import signed
from perennial import BINARY, PAPER, ROOT, START

CAMPAIGN = """
campaign: spring
app: {app}
kind: price
route: merchantManaged
from: 2026-01-31
prices:
- sku: chess
  period: P1M
  to: {USA: "19.99"}
mail: {from: news@example.com, subject: Your price changes, text: increase.txt}
sheet: {title: Your price changes, body: "You pay {oldPrice} now, and {newPrice} from {date}."}
push: {title: Your price changes, body: "From {date} it costs {newPrice}."}
"""
MAIL = "You pay {oldPrice} now, and {newPrice} from {date}. To cancel: {manageUrl}\n"


class Shop:
    """The store of `perennial dev`, as the other tests know a store."""

    def __init__(self, ready):
        self.ready = ready
        self.bundle_id = ready["bundleId"]
        self.app_apple_id = ready["appAppleId"]
        self.private_key = Path(ready["privateKeyFile"]).read_bytes()
        self.root_certificate = Path(ready["rootCertificateFile"]).read_bytes()

    def url(self, environment):
        return self.ready[environment.value.lower()]["url"].rstrip("/")


class App:
    """What an app asks of the merchant for its customer."""

    def __init__(self, merchant, account):
        app = merchant["apps"][0]
        self._url = f"{merchant['url']}/v1/apps/{app['bundleId']}"
        self._token = app["appToken"]
        self._account = account

    def _call(self, method, path, body=None):
        reply = requests.request(
            method, self._url + path, json=body, timeout=60,
            headers={"Authorization": f"Bearer {self._token}"})
        assert reply.ok, reply.text
        return reply.json()

    def shows(self, transaction):
        self._call(
            "POST", "/transactions", {"account": self._account, "signedTransaction": transaction})

    def is_reached_at(self, email):
        self._call("PUT", f"/accounts/{self._account}/contact", {"email": email})

    def sheets(self):
        return self._call("GET", f"/accounts/{self._account}/sheets")["sheets"]

    def taps(self, sheet, action):
        self._call(
            "POST", f"/accounts/{self._account}/sheets/{sheet['id']}", {"action": action})


def commands(ready_file, original_transaction_id):
    """The commands of the document, for a campaign and a subscription that are there."""
    text = (ROOT / "docs" / "campaigns.md").read_text()
    [shown] = [
        block for _, block in re.findall(r"```(\w*)\n(.*?)```", text, re.DOTALL)
        if block.startswith("perennial campaign consents ")]
    assert "openssl" in shown
    return re.sub(
        r"^perennial campaign consents \S+ \S+",
        f"'{BINARY}' campaign consents spring {original_transaction_id} --ready '{ready_file}'",
        shown)


@pytest.mark.parametrize("action", ["agree", "decline"])
def test_a_stranger_verifies_an_answer_with_openssl(action, tmp_path):
    (tmp_path / "increase.txt").write_text(MAIL)
    campaign = tmp_path / "spring.yaml"
    with DevProcess(PAPER, START) as dev:
        shop = Shop(dev.ready["store"])
        campaign.write_text(CAMPAIGN.replace("{app}", shop.bundle_id))
        garden = Garden(shop, None, Environment.PRODUCTION)
        seller = Merchant(shop, garden.developer)
        seller.generic(EVERYTHING)
        customer = garden.customer("ada")
        bought = seller.sells(customer, bundle(item("chess", 9_990)))
        app = App(dev.ready["merchant"], "ada")
        app.shows(signed(customer, bought))
        app.is_reached_at("ada@example.com")
        dev.command("campaign", "run", campaign, "--go")
        dev.command("advance", "P3D")
        [sheet] = app.sheets()
        assert sheet["buttons"] == ["agree", "decline"]
        app.taps(sheet, "shown")
        app.taps(sheet, action)
        verified = subprocess.run(
            ["bash", "-euo", "pipefail", "-c",
             commands(dev.ready_file, bought.originalTransactionId)],
            cwd=tmp_path, capture_output=True, text=True, timeout=60)
        assert verified.returncode == 0, verified.stderr
    computed, kept = verified.stdout.splitlines()
    assert computed.split()[-1] == kept
    lines = (tmp_path / "consent.txt").read_text().splitlines()
    assert len(lines) == 2 and lines[1] == kept
    evidence = json.loads(lines[0])
    assert evidence["answer"] == {"agree": "agreed", "decline": "declined"}[action]
    assert evidence["originalTransactionId"] == bought.originalTransactionId
    assert (evidence["items"], evidence["oldPrice"], evidence["newPrice"]) == (
        ["chess"], 9_990, 19_990)
    assert evidence["words"] == sheet["body"] and evidence["title"] == sheet["title"]
    assert '"ada"' not in lines[0]
    # Of another price the digest is another one.
    forged = lines[0].replace("19990", "29990")
    assert forged != lines[0]
    digest = subprocess.run(
        ["openssl", "dgst", "-sha256"], input=forged, capture_output=True, text=True, check=True)
    assert digest.stdout.split()[-1] != kept
