"""Examples/python/legacy_server.py on a running store, with everything that it asks written down."""

import base64
import json
import subprocess
import sys
import threading
import urllib.error
import urllib.request
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from asn1crypto import cms, core
from perennial import BOTH, ROOT

EXAMPLE = ROOT / "Examples" / "python" / "legacy_server.py"


class Attribute(core.Sequence):
    _fields = [("type", core.Integer), ("version", core.Integer), ("value", core.OctetString)]


class Attributes(core.SetOf):
    _child_spec = Attribute


def transactions_in(receipt):
    """The transactions of an app receipt in Base64, read by asn1crypto alone."""
    signed = cms.ContentInfo.load(base64.b64decode(receipt, validate=True), strict=True)["content"]
    return sorted(
        core.load(inner["value"].native).native
        for one in Attributes.load(signed["encap_content_info"]["content"].native)
        if one["type"].native == 17
        for inner in Attributes.load(one["value"].native) if inner["type"].native == 1703)


class Eavesdropper:
    """Stands between a server and the store: passes everything on, and keeps what verifyReceipt
    was asked and what it answered, in order."""

    def __init__(self, server):
        self.heard = []
        self._ports = [self._listen(server.url(environment), environment) for environment in BOTH]
        self.ready = {**server.ready}
        for port, environment in zip(self._ports, BOTH):
            self.ready[environment.value.lower()] = {
                "url": f"http://127.0.0.1:{port.server_address[1]}"}

    def take(self):
        """What was heard since the last call."""
        heard, self.heard = self.heard, []
        return heard

    def close(self):
        for port in self._ports:
            port.shutdown()
            port.server_close()

    def _listen(self, url, environment):
        def hear(one):
            self.heard.append(one)

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self):
                self._pass(None)

            def do_POST(self):
                self._pass(self.rfile.read(int(self.headers["Content-Length"])))

            def _pass(self, body):
                request = urllib.request.Request(url + self.path, body, {
                    name: value for name, value in self.headers.items()
                    if name in ("Authorization", "Content-Type")}, method=self.command)
                try:
                    with urllib.request.urlopen(request, timeout=60) as response:
                        status, answer = response.status, response.read()
                except urllib.error.HTTPError as error:
                    status, answer = error.code, error.read()
                if self.path == "/verifyReceipt":
                    hear((environment.value, json.loads(body), json.loads(answer)))
                self.send_response(status)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(answer)))
                self.end_headers()
                self.wfile.write(answer)

            def log_message(self, *_):
                pass

        port = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=port.serve_forever, daemon=True).start()
        return port


class LegacyServer:
    """The example as a program."""

    def __init__(self, server, folder, *options):
        self.folder = folder
        self.eavesdropper = Eavesdropper(server)
        ready = folder / "legacy-ready.json"
        ready.write_text(json.dumps(self.eavesdropper.ready))
        self._process = subprocess.Popen(
            [
                sys.executable, EXAMPLE, ready, "--port", "0", "--data", folder / "legacy.sqlite",
                *options,
            ], stdout=subprocess.PIPE, text=True)
        self.url = self._process.stdout.readline().strip()
        assert self.url.startswith("http://"), "the legacy server did not start"

    def asked(self):
        """Where it asked since the last call, and what the answers were."""
        return [(where, answer["status"]) for where, _, answer in self.eavesdropper.take()]

    def takes(self, account, receipt, **details):
        """An app sends its receipt; the status and what was answered."""
        return self._call("/receipts", {"account": account, "receipt": receipt, **details})

    def looks(self, account, version="1.0"):
        """The server looks how things stand, without any device."""
        return self._call(f"/accounts/{account}?version={version}")

    def _call(self, path, body=None):
        request = urllib.request.Request(
            self.url + path, None if body is None else json.dumps(body).encode())
        try:
            with urllib.request.urlopen(request, timeout=60) as response:
                return response.status, json.load(response)
        except urllib.error.HTTPError as error:
            return error.code, json.load(error)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._process.terminate()
        self._process.wait(timeout=30)
        self._process.stdout.close()
        self.eavesdropper.close()
