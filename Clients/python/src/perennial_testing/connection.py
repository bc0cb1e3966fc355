"""JSON over HTTP to the store."""

from __future__ import annotations

import json
import urllib.error
import urllib.parse
import urllib.request
from typing import Any

# Never through a proxy: the store is on this machine.
opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))


class StoreError(Exception):
    """The store refused a request, or does not answer.

    `status` is the HTTP status, 0 without an answer. `error` is the store's word for the reason,
    such as `paymentDeclined`; `/openapi.json` lists them for each path.
    """

    def __init__(self, request: str, status: int, error: str, message: str) -> None:
        self.status = status
        self.error = error
        super().__init__(f"{request}: {status} {error}: {message}")


def call(
    url: str, method: str, path: str, token: str | None = None, body: Any = None, **query: Any
) -> Any:
    """Sends one request and returns the JSON of the answer, None where it has none.

    A connection of its own for each request, so that a server under test may ask the store for
    its clock from any thread, while the test waits for an answer to `advance`.
    """
    address = url + path
    if query:
        address += "?" + urllib.parse.urlencode(query)
    # The answer comes once the notifications that the request caused were attempted.
    headers = {"Prefer": "wait=10"}
    if token:
        headers["Authorization"] = f"Bearer {token}"
    data = None
    if body is not None:
        headers["Content-Type"] = "application/json"
        data = json.dumps(body).encode()
    request = urllib.request.Request(address, data, headers, method=method)
    try:
        with opener.open(request, timeout=120) as response:
            text = response.read()
    except urllib.error.HTTPError as refusal:
        with refusal:
            raise _refusal(f"{method} {path}", refusal.code, refusal.read()) from None
    except OSError as error:
        reason = getattr(error, "reason", error)
        raise StoreError(
            f"{method} {path}", 0, "noAnswer", f"no store answers at {url} ({reason})") from None
    return json.loads(text) if text else None


def quoted(text: str) -> str:
    """A part of a path."""
    return urllib.parse.quote(text, safe="")


def _refusal(request: str, status: int, text: bytes) -> StoreError:
    try:
        answer = json.loads(text)
        return StoreError(request, status, answer["error"], answer.get("message", ""))
    except (ValueError, KeyError, TypeError):
        return StoreError(request, status, "unknown", text.decode(errors="replace"))
