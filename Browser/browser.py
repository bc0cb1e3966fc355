"""Chromium as the system brings it, and the tabs in which somebody looks at a console."""

import os
import shutil
from urllib.parse import quote

from playwright.sync_api import expect

# Of the system: nothing is downloaded. The shell has the engine without the windows, and takes half
# of the time.
CHROMIUM = next(filter(None, map(shutil.which, [
    "chromium-headless-shell", "chromium", "chromium-browser"])), None)
WIDE, NARROW, SMALLEST = (1280, 900), (390, 844), (320, 640)
# A page that has not answered by then, in milliseconds, has failed: long, so that a machine that
# does other work at the time fails nothing.
PATIENCE = 60_000
expect.set_options(timeout=PATIENCE)
# What takes minutes, and `make pages-whole` runs: every page of customers and merchants in every
# language and both browsers, and their stories by clicks; pages of the console that differ by what
# they show are all looked at closely.
IS_WHOLE = os.environ.get("PERENNIAL_PAGES") == "whole"


def launch(playwright):
    if CHROMIUM is None:
        raise FileNotFoundError("chromium: `scripts/deps pages` installs it")
    return playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])


def size(pixels):
    return {"width": pixels[0], "height": pixels[1]}


def path(*parts, **query):
    """The path of a page of the console: `path("customers", "anna")`."""
    asked = "&".join(f"{name}={quote(str(value), safe='')}" for name, value in query.items())
    words = "/".join(["/console", *(quote(part, safe="") for part in parts)])
    return f"{words}?{asked}" if asked else words


class Consoles:
    """Opens tabs in the consoles of environments; signs in to each only once."""

    def __init__(self, chromium):
        self._chromium = chromium
        self._sessions = {}

    def stranger(self, script=True, **options):
        """A context that nobody has signed in to."""
        context = self._chromium.new_context(**{
            "viewport": size(WIDE), "reduced_motion": "reduce", "locale": "en-GB",
            "timezone_id": "UTC", "java_script_enabled": script, **options})
        context.set_default_timeout(PATIENCE)
        return context

    def operator(self, environment, **options):
        """A context with a session of the operator."""
        if environment.url not in self._sessions:
            context = self.stranger()
            tab = context.new_page()
            tab.goto(environment.sign_in_link())
            tab.get_by_role("button", name="Open the console").click()
            tab.wait_for_url(environment.url + "/console")
            self._sessions[environment.url] = context.storage_state()
            context.close()
        return self.stranger(storage_state=self._sessions[environment.url], **options)
