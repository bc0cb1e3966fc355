"""Session 308 from beginning to end: an app with PerennialKit on two devices, a server of 2012 that
knows nothing but `verifyReceipt`, and customer support. Every answer of verifyReceipt is held
against Golden/session-308.txt, but for the signatures in it, and with numbers of transactions by
their order; PERENNIAL_WRITE_GOLDEN=1 writes it anew, for people to read what has changed."""

import json
import os
import re
import subprocess
from pathlib import Path

import pytest
from apple import Developer
from legacy import LegacyServer, transactions_in
from perennial import BACKENDS, BINARY, BOTH, Perennial, database
from story import Customer, Operator

GOLDEN = Path(__file__).resolve().parent / "Golden" / "session-308.txt"
APP = BINARY.parent / "GardenApp"
ESTATE = "com.example.garden.estate.monthly"
ACCOUNT = "gardener"
PRODUCTION = BOTH[0]


class Play:
    """The story as it is told, with what verifyReceipt answered meanwhile."""

    def __init__(self, server, legacy, secret):
        self.lines = []
        self._server = server
        self._legacy = legacy
        self._secret = secret

    def acts(self, what, does):
        """Something happens; what the store answered then is written down."""
        self.lines += [f"== {what}", ""]
        result = does()
        for environment, request, answer in self._legacy.eavesdropper.take():
            assert request.keys() == {"receipt-data", "password"}
            assert request["password"] == self._secret
            asked = transactions_in(request["receipt-data"])
            self.lines.append(f"{environment} is asked about {', '.join(asked)}")
            self.lines += told(answer)
            self.lines.append("")
        return result

    def app(self):
        """The example app plays its part on both devices."""
        ready = json.dumps(self._server.ready)
        file = self._legacy.folder / "ready.json"
        file.write_text(ready)
        shown = subprocess.run(
            [APP, file, self._legacy.url], capture_output=True, text=True, timeout=300)
        assert shown.returncode == 0, shown.stdout + shown.stderr
        self.lines += [*(f"  {line}" for line in shown.stdout.splitlines()), ""]

    def looks(self):
        """The server looks by itself what the customer has."""
        status, answer = self._legacy.looks(ACCOUNT)
        assert status == 200
        self.lines += [f"  access: {json.dumps(answer['access'])}", ""]
        return answer


def named(text):
    """Numbers of a database's own are called by the order in which they came."""
    names = {}

    def name(found):
        kind = {"4": "transaction", "7": "download", "9": "line item"}[found[0][0]]
        known = names.setdefault(kind, {})
        return f"{kind} {known.setdefault(found[0], len(known) + 1)}"

    return re.sub(r"\b[479]0{6,}\d+\b", name, text)


def told(answer):
    """An answer, a line for each member and for each transaction in it."""
    for name, value in answer.items():
        if name == "latest_receipt":
            # It is signed, so that its bytes are others in each store.
            yield f"  {name} of {', '.join(transactions_in(value))}"
        elif isinstance(value, list):
            yield f"  {name}"
            for one in value:
                yield f"    {json.dumps(one)}"
        elif isinstance(value, dict):
            yield f"  {name}"
            for line in told(value):
                yield f"  {line}"
        else:
            yield f"  {name} {json.dumps(value)}"


@pytest.mark.parametrize("backend", BACKENDS)
def test_the_session_is_played_as_it_is_written(backend, tmp_path):
    with database(backend) as url, Perennial(database=url) as server:
        developer = Developer(server, PRODUCTION)
        operator = Operator(server, developer)
        with LegacyServer(server, tmp_path) as legacy:
            play = Play(server, legacy, operator.app_secret())
            play.acts("The app on a phone and a tablet", play.app)
            answer = play.acts("The server asks by itself, no device is there", play.looks)
            subscription = answer["kept"][0]
            operator.wait("P31D")
            answer = play.acts("A month later it learns of the renewal", play.looks)
            assert list(answer["access"]) == [ESTATE]
            operator.payments(ACCOUNT, "decline")
            operator.wait("P31D")
            answer = play.acts("The card is declined, and tried again and again", play.looks)
            assert answer["access"] == {}
            operator.payments(ACCOUNT, "approve")
            operator.wait("P7D")
            answer = play.acts("The card is good again", play.looks)
            assert list(answer["access"]) == [ESTATE]
            Customer(server, developer, ACCOUNT, device="phone").turns_renewal(False, subscription)
            answer = play.acts("The subscriber turns renewal off", play.looks)
            assert list(answer["access"]) == [ESTATE]
            operator.refunds(answer["kept"][-1])
            answer = play.acts("Customer support gives the money back", play.looks)
            assert answer["access"] == {}
    golden = named("\n".join(play.lines))
    if os.environ.get("PERENNIAL_WRITE_GOLDEN"):
        GOLDEN.parent.mkdir(exist_ok=True)
        GOLDEN.write_text(golden)
    assert golden.splitlines() == GOLDEN.read_text().splitlines()
