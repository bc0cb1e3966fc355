"""A running store, and its command line: what the pages are held against."""

import json
import os
import subprocess
import tempfile
import time
import urllib.request
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
BINARY = Path(os.environ.get("PERENNIAL_BINARY", ROOT / ".build" / "debug" / "perennial"))
CATALOGUE = ROOT / "Examples" / "Garden.storekit"
PAPER = ROOT / "Examples" / "Paper.storekit"
START = "2026-01-10T09:00:00Z"
BOTH = ["production", "sandbox"]


class Refused(Exception):
    """The command line did not do what it was told."""


class Store:
    """`perennial serve` on free ports, in memory, with a clock that stands still."""

    # Nobody listens there: attempts to deliver are seen to fail.
    VERB = ["serve", "--notify", "http://127.0.0.1:9/none"]

    def __init__(self, *options, clock=("--clock", "frozen", "--at", START)):
        if not BINARY.exists():
            raise FileNotFoundError(
                f"{BINARY}: `make build` makes it, PERENNIAL_BINARY names another")
        self._folder = tempfile.TemporaryDirectory(prefix="perennial-pages-")
        folder = self.folder = Path(self._folder.name)
        self._log = folder / "log"
        self._ready_file = folder / "ready.json"
        command = [
            BINARY, *self.VERB, CATALOGUE, "--ephemeral", *clock, "--port", "0",
            "--sandbox-port", "0", "--ready-file", self._ready_file, *options,
        ]
        with self._log.open("wb") as log:
            self._process = subprocess.Popen(
                [str(word) for word in command], stdin=subprocess.DEVNULL, stdout=log,
                stderr=subprocess.STDOUT, cwd=folder)
        self.ready = self._wait_until_ready()

    def url(self, environment):
        return self.ready[environment]["url"].rstrip("/")

    def log(self):
        """What it has printed and logged so far."""
        return self._log.read_text()

    def command(self, *words, environment="production"):
        """What a command prints."""
        sandbox = ["--sandbox"] if environment == "sandbox" else []
        done = subprocess.run(
            [str(BINARY), *map(str, words), *sandbox, "--ready", str(self._ready_file)],
            stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=120)
        if done.returncode != 0:
            raise Refused(f"perennial {' '.join(map(str, words))}: {done.stderr}{done.stdout}")
        return done.stdout.strip()

    def stop(self):
        if self._process.poll() is None:
            self._process.terminate()
            self._process.wait(timeout=30)
        self._folder.cleanup()
        assert self._process.returncode == 0, f"the store ended with {self._process.returncode}"

    def _wait_until_ready(self):
        give_up_at = time.monotonic() + 120
        while not self._ready_file.exists():
            if self._process.poll() is not None or time.monotonic() > give_up_at:
                self._process.kill()
                raise RuntimeError(f"the store did not start:\n{self.log()}")
            time.sleep(0.02)
        return json.loads(self._ready_file.read_text())

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stop()


class Environment:
    """One of a store's two environments, by the command line."""

    def __init__(self, store, name):
        self.store = store
        self.name = name
        self.url = store.url(name)

    def __call__(self, *words):
        return self.store.command(*words, environment=self.name)

    def json(self, *words):
        return json.loads(self(*words, "--json"))

    def sign_in_link(self):
        return self("console")

    def now(self):
        return self.json("clock")["now"]

    def app(self):
        """The bundle identifier of the only app."""
        [app] = self.json("app", "list")["apps"]
        return app["bundleId"]

    def accounts(self):
        return [one["account"] for one in self.json("customer", "list")["customers"]]

    def customer(self, account):
        return self.json("status", account)

    def subscription(self, account):
        """The only subscription of an account."""
        [found] = self.customer(account)["subscriptions"]
        return found

    def imports(self, catalogue):
        """Adds what a file of Xcode sells."""
        request = urllib.request.Request(
            f"{self.url}/connect/v1/apps/{self.app()}/catalogue", catalogue.read_bytes(),
            {"Authorization": f"Bearer {self.store.ready['operatorToken']}",
             "Content-Type": "application/json"}, method="PUT")
        with urllib.request.urlopen(request, timeout=60) as answer:
            assert answer.status == 200

    def price_of(self, product):
        """What a new customer pays for a product where the app is at home."""
        [price] = self.json("price", "list", product)["prices"]
        return price["price"]

    def life(self, account):
        """The entries of the timeline of an account's only subscription."""
        return self.json("timeline", account)["entries"]

    def __str__(self):
        return self.name
