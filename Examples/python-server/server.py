"""A gardening app's server: who has access, by what the App Store says.

    python server.py READY.json [PORT]

The app sends each signed transaction with the user who is logged in (POST /purchases). The App
Store sends notifications (POST /app-store). From both the server keeps one row for each period
that was paid and one for what comes next, and answers GET /access/USER from these rows alone.
Somebody calls POST /catch-up every hour, for notifications that never came.
"""

import json
import sqlite3
import sys
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from appstoreserverlibrary.api_client import APIException, AppStoreServerAPIClient
from appstoreserverlibrary.models.Environment import Environment
from appstoreserverlibrary.signed_data_verifier import SignedDataVerifier, VerificationException

TABLES = """
CREATE TABLE owner (original_id TEXT PRIMARY KEY, user TEXT NOT NULL);
CREATE TABLE period (
    transaction_id TEXT PRIMARY KEY, original_id TEXT NOT NULL, product TEXT NOT NULL,
    starts INTEGER NOT NULL, ends INTEGER NOT NULL, revoked INTEGER, signed INTEGER NOT NULL);
CREATE TABLE renewal (
    original_id TEXT PRIMARY KEY, renews INTEGER NOT NULL, grace_ends INTEGER, problem TEXT,
    signed INTEGER NOT NULL);
CREATE TABLE mail (notification TEXT PRIMARY KEY, user TEXT NOT NULL, text TEXT NOT NULL);
"""
MAILS = {
    "DID_FAIL_TO_RENEW": "Your payment failed. Please check your payment method.",
    "PRICE_INCREASE": "The price of your subscription rises.",
    "EXPIRED": "Your subscription has ended.",
}


class AppServer:
    """`now` is a function, so that tests can let a year pass: it returns UNIX milliseconds."""

    def __init__(self, client, verifier, now, database=":memory:"):
        self._client = client
        self._verifier = verifier
        self._now = now
        self._lock = threading.Lock()
        self._database = sqlite3.connect(database, check_same_thread=False)
        self._database.executescript(TABLES)

    def register(self, user, signed_transaction):
        """The app's purchase; it belongs to the first user who brought it."""
        transaction = self._verifier.verify_and_decode_signed_transaction(signed_transaction)
        with self._lock, self._database:
            self._database.execute(
                "INSERT OR IGNORE INTO owner VALUES (?, ?)",
                (transaction.originalTransactionId, user))
            self._keep(transaction, None)

    def take(self, signed_payload):
        """A notification, in whatever order, once or twice. Everything is verified before
        anything is kept: what is signed inside too."""
        notification = self._verifier.verify_and_decode_notification(signed_payload)
        if not notification.data or not notification.data.signedTransactionInfo:
            return
        transaction, renewal = self._verified(notification.data)
        with self._lock, self._database:
            self._keep(transaction, renewal)
            text = MAILS.get(notification.rawNotificationType)
            if text:
                self._database.execute(
                    "INSERT OR IGNORE INTO mail SELECT ?, user, ? FROM owner WHERE original_id = ?",
                    (notification.notificationUUID, text, transaction.originalTransactionId))

    def access(self, user):
        """The newest period of each subscription counts, with its grace period."""
        with self._lock:
            rows = self._database.execute(
                "SELECT product, max(ends, coalesce(grace_ends, 0)), revoked, renews, problem "
                "FROM owner JOIN period USING (original_id) LEFT JOIN renewal USING (original_id) "
                "WHERE user = ? AND starts = (SELECT max(starts) FROM period AS other "
                "WHERE other.original_id = period.original_id) ORDER BY 2 DESC", (user,)).fetchall()
        for product, until, revoked, renews, problem in rows:
            if until > self._now() and revoked is None:
                return {"access": True, "product": product, "until": until,
                        "renews": bool(renews), "problem": problem}
        return {"access": False}

    def catch_up(self):
        """Asks the App Store about each subscription that should have renewed, and did not. What
        it does not answer now is asked again by the next call."""
        with self._lock:
            overdue = [one for [one] in self._database.execute(
                "SELECT original_id FROM period GROUP BY original_id HAVING max(ends) <= ?",
                (self._now(),))]
        missed = 0
        for original_id in overdue:
            try:
                answer = self._client.get_all_subscription_statuses(original_id)
            except APIException:
                missed += 1
                continue
            for item in (item for group in answer.data for item in group.lastTransactions):
                with self._lock, self._database:
                    self._keep(*self._verified(item))
        return {"asked": len(overdue), "missed": missed}

    def mails(self, user):
        with self._lock:
            return [text for [text] in self._database.execute(
                "SELECT text FROM mail WHERE user = ? ORDER BY rowid", (user,))]

    def _verified(self, item):
        renewal = item.signedRenewalInfo
        return (self._verifier.verify_and_decode_signed_transaction(item.signedTransactionInfo),
                self._verifier.verify_and_decode_renewal_info(renewal) if renewal else None)

    def _keep(self, transaction, renewal):
        """Of each transaction, and of what comes next, the newest by the moment of signing."""
        self._database.execute(
            "INSERT INTO period VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT (transaction_id) "
            "DO UPDATE SET ends = excluded.ends, revoked = excluded.revoked, "
            "signed = excluded.signed WHERE excluded.signed >= period.signed",
            (transaction.transactionId, transaction.originalTransactionId, transaction.productId,
             transaction.purchaseDate, transaction.expiresDate or 0, transaction.revocationDate,
             transaction.signedDate))
        if not renewal:
            return
        problem = "payment" if renewal.isInBillingRetryPeriod else (
            "consent" if renewal.rawPriceIncreaseStatus == 0 else None)
        self._database.execute(
            "INSERT INTO renewal VALUES (?, ?, ?, ?, ?) ON CONFLICT (original_id) "
            "DO UPDATE SET renews = excluded.renews, grace_ends = excluded.grace_ends, "
            "problem = excluded.problem, signed = excluded.signed "
            "WHERE excluded.signed >= renewal.signed",
            (renewal.originalTransactionId, renewal.rawAutoRenewStatus,
             renewal.gracePeriodExpiresDate, problem, renewal.signedDate))


def listen(server, port=0):
    """Serves on a port of this machine, 0 for a free one."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self):
            self._route("GET", None)

        def do_POST(self):
            self._route("POST", self.rfile.read(int(self.headers.get("Content-Length", 0))))

        def _route(self, method, text):
            part, _, user = self.path[1:].partition("/")
            try:
                body = json.loads(text) if text else {}
                match method, part:
                    case "GET", "access":
                        answer = server.access(user)
                    case "POST", "app-store":
                        answer = server.take(body["signedPayload"])
                    case "POST", "purchases":
                        answer = server.register(body["user"], body["signedTransaction"])
                    case "POST", "catch-up":
                        answer = server.catch_up()
                    case _:
                        return self._answer(404, {"error": "there is nothing here"})
                self._answer(200, answer or {})
            except (ValueError, KeyError, TypeError, VerificationException) as error:
                self._answer(400, {"error": f"{type(error).__name__}: {error}"})

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
    ready = json.loads(Path(sys.argv[1]).read_text())
    client = AppStoreServerAPIClient(
        Path(ready["privateKeyFile"]).read_bytes(), ready["keyId"], ready["issuerId"],
        ready["bundleId"], Environment.PRODUCTION)
    client._base_url = ready["production"]["url"]  # Apple's URL otherwise.
    root = Path(ready["rootCertificateFile"]).read_bytes()  # Apple's root otherwise.
    verifier = SignedDataVerifier(
        [root], False, Environment.PRODUCTION, ready["bundleId"], ready["appAppleId"])
    server = AppServer(client, verifier, now=lambda: int(time.time() * 1000))
    listener = listen(server, int(sys.argv[2]) if len(sys.argv) > 2 else 8090)
    print(f"http://127.0.0.1:{listener.server_port}", flush=True)
    listener.serve_forever()


if __name__ == "__main__":
    main()
