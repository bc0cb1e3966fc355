"""Notifications: a listener on a free port, and what came to it."""

from __future__ import annotations

import json
import threading
import time
import urllib.error
import urllib.request
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from .connection import StoreError, opener
from .signed import Notification, Transaction, decoded
from .store import Store

SECONDS_TO_FORWARD = 30


class Notifications:
    """The notifications of one test, in the order of arrival.

    Calls that move the clock or change something return when their notifications were attempted,
    so `names` and `all` are complete then.
    """

    def __init__(self, store: Store, listener: Listener) -> None:
        self._store = store
        self._arrived = threading.Condition()
        self._all: list[Notification] = []
        self._taken: set[int] = set()
        self._forward_url: str | None = None
        self.url = listener.open_inbox(self)
        store.send_notifications_to(self.url)

    def forward_to(self, url: str) -> None:
        """Passes on to your server whatever comes from now on, and answers as your server does."""
        self._forward_url = url

    @property
    def all(self) -> list[Notification]:
        with self._arrived:
            return list(self._all)

    @property
    def names(self) -> list[str]:
        """Type and subtype of each: `["SUBSCRIBED/INITIAL_BUY", "DID_RENEW"]`."""
        return [one.name for one in self.all]

    def wait_for(
        self, notification_type: str, subtype: str | None = None, *,
        about: Transaction | None = None, timeout: float = 5,
    ) -> Notification:
        """The first such notification that no call before has returned, with any subtype unless
        one is given; of the subscription of a transaction, where one is given.

        Waits for `timeout` seconds of real time; AssertionError then says what came instead.
        """
        __tracebackhide__ = True
        give_up_at = time.monotonic() + timeout
        with self._arrived:
            while True:
                for index, one in enumerate(self._all):
                    if index not in self._taken and _fits(one, notification_type, subtype, about):
                        self._taken.add(index)
                        return one
                left = give_up_at - time.monotonic()
                if left <= 0:
                    break
                self._arrived.wait(left)
        name = f"{notification_type}/{subtype}" if subtype else notification_type
        raise AssertionError(f"No {name} came within {timeout:g} seconds"
                             f"{f' about {about.original_id}' if about else ''}.\n{self}")

    def __str__(self) -> str:
        """What came, and what the store has that did not."""
        with self._arrived:
            came = [f"  {one}{'  (returned by wait_for)' if index in self._taken else ''}"
                    for index, one in enumerate(self._all)]
            uuids = {one.uuid for one in self._all}
        text = ["These came, with the answers that they got:", *came] if came else ["None came."]
        try:
            log = self._store.connect("GET", "/notifications", limit=200)["notifications"]
        except StoreError as error:
            return "\n".join([*text, str(error)])
        missing = [_fate(one) for one in reversed(log) if one["notificationUUID"] not in uuids]
        if missing:
            text += ["These the store has, and they did not arrive:", *missing]
        return "\n".join(text)

    def _take(self, body: bytes) -> int:
        signed = json.loads(body)["signedPayload"]
        answer = self._forward(body) if self._forward_url else 200
        with self._arrived:
            self._all.append(Notification(signed, decoded(signed), answer))
            self._arrived.notify_all()
        return answer

    def _forward(self, body: bytes) -> int:
        assert self._forward_url
        request = urllib.request.Request(
            self._forward_url, body, {"Content-Type": "application/json"})
        try:
            with opener.open(request, timeout=SECONDS_TO_FORWARD) as response:
                return int(response.status)
        except urllib.error.HTTPError as refusal:
            refusal.close()
            return refusal.code
        except OSError:
            # No server is there, or it does not answer.
            return 502


class Listener:
    """An HTTP server on a free port of this machine. Each test has a path of its own, so that
    nothing of a test before arrives."""

    def __init__(self) -> None:
        inboxes: dict[str, Notifications] = {}
        self._inboxes = inboxes

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            disable_nagle_algorithm = True

            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
                inbox = inboxes.get(self.path)
                self.send_response(inbox._take(body) if inbox else 404)
                self.send_header("Content-Length", "0")
                self.end_headers()

            def log_message(self, *_: Any) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        threading.Thread(
            target=self._server.serve_forever, args=(0.05,), daemon=True).start()

    def open_inbox(self, inbox: Notifications) -> str:
        """The URL at which an inbox takes notifications from now on."""
        path = f"/{len(self._inboxes) + 1}"
        self._inboxes[path] = inbox
        return f"http://127.0.0.1:{self._server.server_port}{path}"

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()


def _fits(
    one: Notification, notification_type: str, subtype: str | None, about: Transaction | None
) -> bool:
    if one.type != notification_type or (subtype is not None and one.subtype != subtype):
        return False
    told = one.transaction
    return about is None or (told is not None and told.original_id == about.original_id)


def _fate(entry: dict[str, Any]) -> str:
    """Of a notification in the store's log, why it did not arrive."""
    name = "/".join(entry[part] for part in ("notificationType", "subtype") if part in entry)
    reasons = [f"{one['kind']} (rule {one['id']})" for one in entry["faults"]]
    reasons += [f"attempt: {one['result']}" for one in entry["attempts"]]
    if "nextAttempt" in entry:
        reasons.append(f"next attempt {entry['nextAttempt']}")
    elif not entry["attempts"]:
        reasons.append("there was no URL to send it to")
    return f"  {name:46} {', '.join(reasons)}"
