"""Firefox, by the protocol that it speaks itself (WebDriver BiDi): no driver stands between."""

import base64
import json
import re
import shutil
import subprocess
import tempfile
import time
from pathlib import Path

import websocket

FIREFOX = shutil.which("firefox-esr") or shutil.which("firefox")
SCHEMES = {"dark": 0, "light": 1}
PREFERENCES = {
    "layout.css.prefers-color-scheme.content-override": None,
    "datareporting.policy.dataSubmissionEnabled": False, "app.update.enabled": False,
    "browser.shell.checkDefaultBrowser": False, "network.captive-portal-service.enabled": False,
    "network.connectivity-service.enabled": False,
}
PATIENCE = 60


class Firefox:
    """A window of Firefox that likes light or dark pages, in a language."""

    def __init__(self, scheme, languages="en-GB"):
        self._folder = tempfile.TemporaryDirectory(
            prefix="perennial-firefox-", ignore_cleanup_errors=True)
        profile = Path(self._folder.name)
        preferences = {
            **PREFERENCES, next(iter(PREFERENCES)): SCHEMES[scheme],
            "intl.accept_languages": languages}
        (profile / "user.js").write_text("".join(
            f"user_pref({json.dumps(name)}, {json.dumps(value)});\n"
            for name, value in preferences.items()))
        self._log = (profile / "log").open("w+")
        self._process = subprocess.Popen(
            [FIREFOX, "--headless", "--no-remote", "--profile", str(profile),
             "--remote-debugging-port", "0"],
            stdin=subprocess.DEVNULL, stdout=self._log, stderr=subprocess.STDOUT)
        self._number = 0
        self.dialogs = []
        self._socket = websocket.create_connection(
            self._address() + "/session", timeout=PATIENCE, suppress_origin=True)
        # A dialog is left open until it is seen: whatever comes next would not be answered.
        self._send("session.new", capabilities={"alwaysMatch": {
            "unhandledPromptBehavior": {"default": "dismiss"}}})
        self._send("session.subscribe", events=["browsingContext.userPromptOpened"])
        [self._window] = [
            one["context"] for one in self._send("browsingContext.getTree")["contexts"]]

    def _address(self):
        give_up_at = time.monotonic() + PATIENCE
        while time.monotonic() < give_up_at and self._process.poll() is None:
            found = re.search(r"ws://\S+", Path(self._log.name).read_text())
            if found:
                return found[0]
            time.sleep(0.05)
        raise RuntimeError(f"Firefox did not start:\n{Path(self._log.name).read_text()}")

    def _send(self, method, **parameters):
        self._number += 1
        self._socket.send(json.dumps(
            {"id": self._number, "method": method, "params": parameters}))
        while True:
            told = json.loads(self._socket.recv())
            if told.get("method") == "browsingContext.userPromptOpened":
                self.dialogs.append(told["params"].get("message"))
            if told.get("id") == self._number:
                if told["type"] == "error":
                    raise RuntimeError(f"{method}: {told['message']}")
                return told["result"]

    def resize(self, pixels):
        self._send("browsingContext.setViewport", context=self._window, viewport={
            "width": pixels[0], "height": pixels[1]})

    def goto(self, address):
        self._send("browsingContext.navigate", context=self._window, url=address, wait="complete")

    def evaluate(self, expression):
        """What an expression is worth in the page, by way of JSON."""
        answer = self._send(
            "script.evaluate", target={"context": self._window}, awaitPromise=True,
            expression=f"Promise.resolve({expression}).then(JSON.stringify)")
        if answer["type"] == "exception":
            raise RuntimeError(answer["exceptionDetails"]["text"])
        return json.loads(answer["result"].get("value", "null"))

    def wait_for(self, expression):
        give_up_at = time.monotonic() + PATIENCE
        while True:
            try:
                if self.evaluate(expression):
                    return
            except RuntimeError:
                pass  # The page went away meanwhile.
            assert time.monotonic() < give_up_at, f"it never came to pass: {expression}"
            time.sleep(0.05)

    def screenshot(self):
        shot = self._send("browsingContext.captureScreenshot", context=self._window)
        return base64.b64decode(shot["data"])

    def close(self):
        self._socket.close()
        self._process.terminate()
        try:
            self._process.wait(timeout=20)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._log.close()
        self._folder.cleanup()
