"""Somebody else's site on the same machine: another port, and no good intentions."""

import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


class Neighbour:
    """Serves what it is given."""

    def __init__(self):
        self._pages = {}
        neighbour = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self):
                page = neighbour._pages.get(self.path)
                body = (page or "").encode()
                self.send_response(200 if page else 404)
                self.send_header("Content-Type", "text/html; charset=utf-8")
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_):
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def serve(self, path, body):
        """Puts a page at a path. Returns its address."""
        self._pages[path] = f"<!DOCTYPE html><html lang=en><title>Neighbour</title>{body}"
        return f"http://127.0.0.1:{self._server.server_port}{path}"

    def close(self):
        self._server.shutdown()
        self._server.server_close()
