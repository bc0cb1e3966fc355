"""A server of 2012: all that it knows of the store is `verifyReceipt`.

    .build/debug/perennial serve Examples/Garden.storekit
    python Examples/python/legacy_server.py

Run the last command in another terminal. It takes a ready file as an argument, and `--port` and
`--data FILE`. The app sends its receipt with the customer's account, and finishes its transactions
once this server has kept them:

    POST /receipts {"account": "anna", "receipt": "…", "version": "1.0"}
    GET  /accounts/anna

To use it with Apple, change the two URLs and take the shared secret of App Store Connect. The
strategy says where a receipt goes first: `reactive` asks Production and, after 21007, Sandbox;
`smart` sends app versions that are not on sale yet, as App Review has them, to Sandbox at once.
"""

import argparse
import calendar
import json
import re
import sqlite3
import sys
import threading
import urllib.request
from datetime import datetime, timedelta, timezone
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

SANDBOX_RECEIPT = 21007
TRY_AGAIN = {21005, 21009}
# A subscription that does not renew has no end in its receipt: the server knows how long it is,
# from a table or from the identifier itself, `…guide.3months`.
LENGTHS = {"com.example.garden.season.summer": "3months"}


class Store:
    """Both environments of a store, and which one a receipt is checked by."""

    def __init__(self, production, sandbox, secret, strategy="reactive", newest_sold="1.0"):
        self._urls = {"Production": production, "Sandbox": sandbox}
        self._secret = secret
        self._strategy = strategy
        self._newest_sold = numbers(newest_sold)
        self.asked = []

    def verify(self, receipt, version):
        first = "Production"
        if self._strategy == "smart" and numbers(version) > self._newest_sold:
            first = "Sandbox"
        answer = self._ask(first, receipt)
        if answer["status"] == SANDBOX_RECEIPT and self._strategy == "reactive":
            answer = self._ask("Sandbox", receipt)
        return answer

    def _ask(self, environment, receipt):
        self.asked.append(environment)
        body = json.dumps({"receipt-data": receipt, "password": self._secret}).encode()
        request = urllib.request.Request(
            f"{self._urls[environment].rstrip('/')}/verifyReceipt", body,
            {"Content-Type": "application/json"})
        with urllib.request.urlopen(request, timeout=60) as response:
            return json.load(response)


class Accounts:
    """What customers have, by the account that they registered with this server."""

    def __init__(self, path):
        self._lock = threading.Lock()
        self._database = sqlite3.connect(path, check_same_thread=False, isolation_level=None)
        self._database.executescript(
            """
            CREATE TABLE IF NOT EXISTS receipt (account TEXT PRIMARY KEY, latest TEXT NOT NULL);
            CREATE TABLE IF NOT EXISTS purchase (
                transaction_id TEXT PRIMARY KEY, account TEXT NOT NULL, original_id TEXT NOT NULL,
                product_id TEXT NOT NULL, purchased INTEGER NOT NULL, expires INTEGER,
                cancelled INTEGER, upgraded INTEGER NOT NULL);
            """)

    def keep(self, account, receipt, purchases):
        """Binds a receipt and what is in it to an account, all of it or nothing. What another
        account has already stays there."""
        with self._lock:
            self._database.execute("BEGIN IMMEDIATE")
            try:
                self._database.execute(
                    "INSERT INTO receipt VALUES (?, ?) "
                    "ON CONFLICT (account) DO UPDATE SET latest = excluded.latest",
                    (account, receipt))
                for one in purchases:
                    self._database.execute(
                        "INSERT INTO purchase VALUES (?, ?, ?, ?, ?, ?, ?, ?) "
                        "ON CONFLICT (transaction_id) DO UPDATE SET expires = excluded.expires, "
                        "cancelled = excluded.cancelled, upgraded = excluded.upgraded "
                        "WHERE purchase.account = excluded.account",
                        (one["transaction_id"], account, one["original_transaction_id"],
                         one["product_id"], int(one["purchase_date_ms"]),
                         optional(one.get("expires_date_ms")),
                         optional(one.get("cancellation_date_ms")),
                         one.get("is_upgraded") == "true"))
                self._database.execute("COMMIT")
            except BaseException:
                self._database.execute("ROLLBACK")
                raise

    def access(self, account, now):
        """Until when an account has what, in milliseconds; None where it is for ever. What has a
        cancellation date gives access no longer: it was refunded or, where `is_upgraded` says so,
        something better took its place."""
        with self._lock:
            rows = self._database.execute(
                "SELECT product_id, purchased, expires FROM purchase "
                "WHERE account = ? AND cancelled IS NULL ORDER BY purchased, transaction_id",
                (account,)).fetchall()
        ends = {}
        for product, purchased, expires in rows:
            length = length_of(product)
            if expires is not None:
                ends[product] = expires
            elif length:
                # Bought again while it lasts, it goes on from its end.
                ends[product] = later(max(purchased, ends.get(product, 0)), length)
            else:
                ends[product] = None
        return {
            product: end for product, end in sorted(ends.items()) if end is None or end > now}

    def latest(self, account):
        with self._lock:
            row = self._database.execute(
                "SELECT latest FROM receipt WHERE account = ?", (account,)).fetchone()
        return row[0] if row else None


class Server:
    """What the app and its customers talk to."""

    def __init__(self, store, accounts):
        self._store = store
        self._accounts = accounts

    def take(self, account, receipt, version):
        """A receipt from a device."""
        answer = self._store.verify(receipt, version)
        status = answer["status"]
        if status in TRY_AGAIN or 21100 <= status < 21200:
            return 503, {"status": status}
        if status != 0:
            return 422, {"status": status}
        purchases = answer.get("latest_receipt_info", []) + answer["receipt"]["in_app"]
        seen = {one["transaction_id"]: one for one in reversed(purchases)}
        self._accounts.keep(account, answer.get("latest_receipt", receipt), seen.values())
        return 200, {
            "status": 0, "environment": answer["environment"], "kept": sorted(seen),
            "access": self._accounts.access(account, now_of(answer))}

    def look(self, account, version):
        """What an account has now: renewals and refunds are learnt by asking again, with the
        newest receipt that there was."""
        receipt = self._accounts.latest(account)
        return self.take(account, receipt, version) if receipt else (404, {"account": account})


def length_of(product):
    found = re.search(r"(\d+)(days|weeks|months|years?)$", LENGTHS.get(product, product))
    return (int(found[1]), found[2].rstrip("s")) if found else None


def later(moment, length):
    count, unit = length
    date = datetime.fromtimestamp(moment / 1000, timezone.utc)
    if unit in ("day", "week"):
        date += timedelta(days=count * (7 if unit == "week" else 1))
    else:
        months = date.year * 12 + date.month - 1 + count * (12 if unit == "year" else 1)
        year, month = divmod(months, 12)
        last = calendar.monthrange(year, month + 1)[1]
        date = date.replace(year=year, month=month + 1, day=min(date.day, last))
    return int(date.timestamp() * 1000)


def now_of(answer):
    """The store's moment, which in a store of one's own can be another than this machine's."""
    return int(answer["receipt"]["request_date_ms"])


def optional(text):
    return None if text is None else int(text)


def numbers(version):
    return [int(part) for part in re.findall(r"\d+", version)]


def serve(server, port):
    class Handler(BaseHTTPRequestHandler):
        def do_POST(self):
            try:
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                asked = [body[name] for name in ("account", "receipt")]
                version = body.get("version", "1.0")
                if self.path != "/receipts" or not all(
                        isinstance(text, str) for text in [*asked, version]):
                    raise ValueError
            except (KeyError, TypeError, ValueError):
                return self._answer(400, {"error": "account and receipt are texts"})
            self._answer(*server.take(*asked, version))

        def do_GET(self):
            if not self.path.startswith("/accounts/"):
                return self._answer(404, {"error": "there is nothing"})
            account, _, version = self.path.removeprefix("/accounts/").partition("?version=")
            self._answer(*server.look(account, version or "1.0"))

        def _answer(self, status, body):
            text = json.dumps(body).encode()
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(text)))
            self.end_headers()
            self.wfile.write(text)

        def log_message(self, *_):
            pass

    return ThreadingHTTPServer(("127.0.0.1", port), Handler)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("ready", nargs="?", default="perennial-data/ready.json")
    parser.add_argument("--port", type=int, default=8090)
    parser.add_argument("--data", default="legacy.sqlite")
    parser.add_argument("--strategy", choices=["reactive", "smart"], default="reactive")
    parser.add_argument("--newest-sold", default="1.0", help="the app's newest version on sale")
    options = parser.parse_args()
    ready = json.loads(Path(options.ready).read_text())
    request = urllib.request.Request(
        f"{ready['production']['url']}/connect/v1/apps/{ready['bundleId']}/shared-secret",
        headers={"Authorization": f"Bearer {ready['operatorToken']}"})
    with urllib.request.urlopen(request, timeout=60) as response:
        secret = json.load(response)["sharedSecret"]
    store = Store(
        ready["production"]["url"], ready["sandbox"]["url"], secret, options.strategy,
        options.newest_sold)
    server = serve(Server(store, Accounts(options.data)), options.port)
    print(f"http://127.0.0.1:{server.server_address[1]}", flush=True)
    server.serve_forever()


if __name__ == "__main__":
    sys.exit(main())
