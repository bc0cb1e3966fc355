"""A running merchant beside a running store."""

import json
import sqlite3
import subprocess
import tempfile
import time
from pathlib import Path
from urllib.parse import urlsplit

import requests
from perennial import BINARY

# What a notification or a purchase can change; a gap report changes by itself.
TABLES = [
    "inbox", "account", "account_token", "purchase", "transaction_register", "renewal_register"]


class Unavailable(Exception):
    """A command ended with an error: its exit code and what it said."""

    def __init__(self, ended):
        self.code = ended.returncode
        super().__init__(f"{ended.returncode}: {ended.stdout}{ended.stderr}")


class Process:
    """A program that writes a ready file once it answers."""

    def __init__(self, command, folder):
        self._log = folder / "log"
        ready_file = folder / "ready.json"
        with self._log.open("wb") as log:
            self._process = subprocess.Popen(
                [str(word) for word in [*command, "--ready-file", ready_file]],
                stdin=subprocess.DEVNULL, stdout=log, stderr=subprocess.STDOUT, cwd=folder)
        give_up_at = time.monotonic() + 120
        while not ready_file.exists():
            if self._process.poll() is not None or time.monotonic() > give_up_at:
                self._process.kill()
                raise RuntimeError(f"the merchant did not start:\n{self.log()}")
            time.sleep(0.02)
        self.ready_file = ready_file
        self._is_killed = False
        self.ready = json.loads(ready_file.read_text())

    def log(self):
        return self._log.read_text()

    def kill(self):
        self._process.kill()
        self._process.wait(timeout=30)
        self.ready_file.unlink()
        self._is_killed = True

    def stop(self):
        if self._is_killed:
            return
        if self._process.poll() is None:
            self._process.terminate()
            self._process.wait(timeout=30)
        assert self._process.returncode == 0, f"it ended with {self._process.returncode}"


class MerchantProcess:
    """`perennial merchant serve` with a file as its database, by the store's clock unless it is
    said otherwise. The store does not know it: a test posts to it what it wants."""

    def __init__(
            self, server, *options, clock="store", configuration=None, files=None, looks=2):
        """`configuration` is the text of a YAML file, in whose folder the store's ready file is
        `store.json`; `files` are more files there. `looks` is in how many environments it asks
        the store for what it has missed."""
        self._looks = looks
        self._folder = tempfile.TemporaryDirectory(prefix="perennial-merchant-")
        self.folder = Path(self._folder.name)
        self.store_ready = self.folder / "store.json"
        if server is not None:
            self.store_ready.write_text(json.dumps(server.ready))
        for name, data in (files or {}).items():
            (self.folder / name).write_bytes(data)
        source = ["--store", self.store_ready]
        if configuration is not None:
            self.configure(configuration)
            source = ["--config", self.configuration]
        self._command = [
            BINARY, "merchant", "serve", *source, "--data", self.folder / "data",
            "--clock", clock, *options]
        self._start(port=0)
        self._wait_for_first_look()

    def _start(self, port):
        self._process = Process([*self._command, "--port", port], self.folder)
        self.ready = self._process.ready
        self.url = self.ready["url"]
        self.app = self.ready["apps"][0]

    def kill(self):
        """Ends it in the middle of whatever it does."""
        self._process.kill()

    def restart(self, since):
        """Starts it again with what it has kept, where the store expects it, and waits until it
        has looked for what it has missed.

        `since` is a moment of the store, as text, after it was last there."""
        self._start(port=urlsplit(self.url).port)
        self._wait_for_first_look(since)

    def _wait_for_first_look(self, since=""):
        """It asks the store at its start for what it has missed: what a test posts later is news
        to it, and so is what was sent before in no test."""
        give_up_at = time.monotonic() + 120
        while self._looked(since) < self._looks:
            assert time.monotonic() < give_up_at, self._process.log()
            time.sleep(0.02)

    def _looked(self, since):
        """In how many environments it has looked to the end: at statuses last. A look began at
        a moment of the store or after it."""
        return len([
            one for one in self.operate("GET", "gaps")["gaps"]
            if one["kind"] == "statuses" and one["state"] == "done" and one["started"] >= since])

    @property
    def configuration(self):
        return self.folder / "merchant.yaml"

    def configure(self, text):
        """Writes the configuration file; a running merchant reads it within seconds."""
        self.configuration.write_text(text)

    # What the App Store posts

    def post(self, body, bundle_id=None, **headers):
        """Posts a body as it is; returns the response."""
        return requests.post(
            f"{self.url}/apple/v2/{bundle_id or self.app['bundleId']}", data=body, timeout=60,
            headers={"Content-Type": "application/json", **headers})

    def notify(self, signed):
        """Posts a notification; returns the response."""
        return self.post(json.dumps({"signedPayload": signed}))

    def takes(self, *notifications):
        """Posts notifications, which are kept, and waits until they are processed."""
        results = []
        for signed in notifications:
            reply = self.notify(signed)
            assert reply.status_code == 200, reply.text
            results.append(reply.json()["result"])
        self.settle()
        return results

    # What an app and the developer's server send

    def call(self, method, path, token, json=None, **query):
        return requests.request(
            method, self.url + path, json=json, params=query, timeout=60,
            headers={"Authorization": f"Bearer {token}"})

    def send(self, account, signed, **more):
        """Sends a purchase as an app does; returns the response."""
        return self.call(
            "POST", f"/v1/apps/{self.app['bundleId']}/transactions", self.app["appToken"],
            {"account": account, "signedTransaction": signed, **more})

    def owns(self, account, signed, **more):
        """Sends a purchase, which is taken; returns the customer."""
        reply = self.send(account, signed, **more)
        assert reply.status_code == 200, reply.text
        return reply.json()

    def customer(self, account):
        reply = self.call(
            "GET", f"/v1/apps/{self.app['bundleId']}/accounts/{account}", self.app["serverToken"])
        assert reply.status_code == 200, reply.text
        return reply.json()

    def operate(self, method, path, json=None, **query):
        reply = self.call(
            method, f"/v1/operator/{path}", self.ready["operatorToken"], json, **query)
        assert reply.ok, reply.text
        return reply.json() if reply.content else None

    def settle(self):
        self.operate("POST", "settle")

    def dead_letters(self):
        return self.operate("GET", "dead-letters", limit=200)["deadLetters"]

    # What it keeps

    def rows(self, besides=()):
        """All rows of all tables that a notification or a purchase can change."""
        database = sqlite3.connect(
            f"file:{self.folder / 'data' / 'merchant.sqlite'}?mode=ro", uri=True, timeout=60)
        try:
            return {
                table: sorted(database.execute(f"SELECT * FROM {table}").fetchall(), key=repr)
                for table in TABLES if table not in besides
            }
        finally:
            database.close()

    # The command line

    def command(self, *words):
        """Runs a command with --json; returns what it printed."""
        return command(self._process.ready_file, *words)

    def stop(self):
        try:
            self._process.stop()
        finally:
            self._folder.cleanup()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stop()


class DevProcess:
    """`perennial dev`: a store and a merchant that are wired to each other."""

    def __init__(self, catalogue, at=None, *options):
        self._folder = tempfile.TemporaryDirectory(prefix="perennial-dev-")
        self._process = Process(
            [BINARY, "dev", catalogue, "--ephemeral", "--clock", "frozen", *options,
             *(["--at", at] if at else []),
             "--port", "0", "--sandbox-port", "0", "--merchant-port", "0"],
            Path(self._folder.name))
        self.ready = self._process.ready
        self.ready_file = self._process.ready_file

    def command(self, *words):
        return command(self._process.ready_file, *words)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        try:
            self._process.stop()
        finally:
            self._folder.cleanup()


def command(ready_file, *words):
    """Runs a command with --json; returns what it printed.

    Raises `Unavailable` where it ends with an error."""
    ended = subprocess.run(
        [str(word) for word in [BINARY, *words, "--json", "--ready", ready_file]],
        capture_output=True, text=True, timeout=120)
    if ended.returncode != 0:
        raise Unavailable(ended)
    return json.loads(ended.stdout) if ended.stdout.strip() else None


def calls(server, environment):
    """How often each endpoint of the App Store Server API was answered, by method, route and
    status: as the store's metrics count it."""
    counts = {}
    text = requests.get(f"{server.url(environment)}/metrics", timeout=60).text
    for line in text.splitlines():
        if not line.startswith("perennial_http_requests_total{"):
            continue
        labels, count = line[line.index("{") + 1:].rsplit("} ", 1)
        label = dict(part.split("=", 1) for part in labels.split(","))
        label = {name: value.strip('"') for name, value in label.items()}
        if label["environment"] == environment.value and label["route"].startswith("/inApps/"):
            counts[label["method"], label["route"], int(label["status"])] = int(count)
    return counts
