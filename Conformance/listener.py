"""The developer's own server: takes notifications over real HTTP."""

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


class Listener:
    """Keeps what arrives, in order, and answers 200 until it is told otherwise."""

    def __init__(self):
        self._lock = threading.Lock()
        self._arrivals = []
        self._answers = []
        listener = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            disable_nagle_algorithm = True

            def do_POST(self):
                body = self.rfile.read(int(self.headers["Content-Length"]))
                status = listener._take(self.path, self.headers["Content-Type"], body)
                self.send_response(status)
                self.send_header("Content-Length", "0")
                self.end_headers()

            def log_message(self, *_):
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def url(self, environment):
        return f"http://127.0.0.1:{self._server.server_port}/{environment.value.lower()}"

    def answer(self, *statuses):
        """What to answer to the next notifications, one each."""
        with self._lock:
            self._answers = list(statuses)

    def take_arrivals(self, environment):
        """The signed payloads that came for an environment since the last call."""
        path = f"/{environment.value.lower()}"
        with self._lock:
            taken = [payload for arrived, payload in self._arrivals if arrived == path]
            self._arrivals = [one for one in self._arrivals if one[0] != path]
        return taken

    def _take(self, path, content_type, body):
        assert content_type == "application/json", content_type
        payload = json.loads(body)
        assert list(payload) == ["signedPayload"], payload
        with self._lock:
            self._arrivals.append((path, payload["signedPayload"]))
            return self._answers.pop(0) if self._answers else 200

    def close(self):
        self._server.shutdown()
        self._server.server_close()
