"""A push service that takes everything, without TLS: the merchant's file can name no authority
for it, so that it would trust no certificate of ours, and HTTP/2 comes with TLS alone."""

import json
import subprocess
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path


class PushService:
    """Keeps what it was sent: the token, the headers and the payload."""

    def __init__(self, folder):
        self.key = Path(folder) / "push.p8"
        subprocess.run(
            ["openssl", "genpkey", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256",
             "-out", self.key], check=True, capture_output=True)
        self.pushes = pushes = []

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self):
                body = self.rfile.read(int(self.headers["content-length"]))
                pushes.append((
                    self.path.split("/")[-1], dict(self.headers.items()), json.loads(body)))
                self.send_response(200)
                self.send_header("apns-id", self.headers.get("apns-id", ""))
                self.send_header("content-length", "0")
                self.end_headers()

            def log_message(self, *_):
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.port = self._server.server_address[1]
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def take(self):
        taken, self.pushes[:] = list(self.pushes), []
        return taken

    def close(self):
        self._server.shutdown()
        self._server.server_close()
