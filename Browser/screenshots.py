"""Draws the console's main pages into a folder: `screenshots.py docs/images`."""

import sys
from pathlib import Path

import world
from browser import NARROW, WIDE, Consoles, launch, path, size
from playwright.sync_api import sync_playwright
from store import BOTH, Environment, Store

# A picture that is larger than this is cut off below, half as high each time.
MOST_BYTES = 150_000
WAYS = {"wide-light": (WIDE, "light"), "narrow-dark": (NARROW, "dark")}
TALLEST = 1600


def pages(production):
    life = production.subscription("anna")["originalTransactionId"]
    ben = production.subscription("ben")["originalTransactionId"]
    items = production.subscription("tina")["originalTransactionId"]
    return {
        "overview": path(), "customers": path("customers"), "customer": path("customers", "anna"),
        "subscription": path("subscriptions", life), "items": path("subscriptions", items),
        "clock": path("clock"),
        "ahead": path("clock", "ahead", until="P1M"),
        "preview": path("subscriptions", ben, "plan", preview=1, product=world.ESTATE),
        "catalogue": path("catalogue"), "money": path("money"), "world": path("world"),
        "mail": path("mailbox", newest_mail(production)),
        "offers": path("catalogue", production.app(), world.ESTATE, "offers"),
        "family": path("families", family_of(production, "anna")),
    }


def newest_mail(production):
    return production.json("mailbox", "--account", world.ADDRESS)["mails"][0]["id"]


def family_of(production, account):
    return str(production.json("family", "show", account)["id"])


def draw(tab, file, width):
    """Draws what stands on the page, from the top, as far as the size of a file allows."""
    height = min(TALLEST, tab.evaluate("document.documentElement.scrollHeight"))
    while True:
        clip = {"x": 0, "y": 0, "width": width, "height": height}
        picture = tab.screenshot(full_page=True, clip=clip)
        if len(picture) <= MOST_BYTES:
            file.write_bytes(picture)
            print(f"{file}: {width} × {height}, {len(picture) // 1000} KB")
            return
        height //= 2


def main(folder):
    folder.mkdir(parents=True, exist_ok=True)
    with Store() as store, sync_playwright() as playwright:
        production, sandbox = (Environment(store, name) for name in BOTH)
        world.plant(production, sandbox, with_hostile_names=False)
        consoles = Consoles(launch(playwright))
        for way, (pixels, scheme) in WAYS.items():
            context = consoles.operator(production, viewport=size(pixels), color_scheme=scheme)
            tab = context.new_page()
            for name, address in pages(production).items():
                tab.goto(production.url + address)
                draw(tab, folder / f"console-{name}-{way}.png", pixels[0])
            context.close()


if __name__ == "__main__":
    main(Path(sys.argv[1]))
