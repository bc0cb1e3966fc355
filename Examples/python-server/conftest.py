"""The server under test, in this process, beside the store."""

import json
import threading
import urllib.request

import pytest
from server import AppServer, listen


class Running:
    """The server over HTTP, as the app and a timer call it."""

    def __init__(self, url, app_server):
        self.url = url
        self.mails = app_server.mails

    def register(self, user, transaction):
        self._call("/purchases", {"user": user, "signedTransaction": transaction.signed})

    def access(self, user):
        return self._call(f"/access/{user}")

    def catch_up(self):
        return self._call("/catch-up", {})

    def _call(self, path, body=None):
        data = None if body is None else json.dumps(body).encode()
        with urllib.request.urlopen(f"{self.url}{path}", data, timeout=10) as response:
            return json.load(response)


@pytest.fixture
def server(store, apple_client, apple_verifier, notifications):
    """It knows the store's clock, and gets its notifications."""
    app_server = AppServer(
        apple_client, apple_verifier, now=lambda: int(store.now().timestamp() * 1000))
    listener = listen(app_server)
    threading.Thread(target=listener.serve_forever, args=(0.01,), daemon=True).start()
    url = f"http://127.0.0.1:{listener.server_port}"
    notifications.forward_to(f"{url}/app-store")
    yield Running(url, app_server)
    listener.shutdown()
    listener.server_close()


@pytest.fixture
def ada(store, server):
    """A customer who subscribed, and whose app told the server."""
    ada = store.customer("ada")
    ada.bought = ada.buy("com.example.garden.estate.monthly")
    server.register("ada", ada.bought)
    return ada
