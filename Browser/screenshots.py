"""Draws the main pages into a folder: `screenshots.py docs/images`.

`screenshots.py docs/images demo` draws the demonstration alone, which README shows.
"""

import sys
from pathlib import Path

import merchant_people
import world
from browser import NARROW, WIDE, Consoles, launch, path, size
from developer import Pair, People, production as production_of
from playwright.sync_api import sync_playwright
from store import BOTH, Environment, Store

# A picture that is larger than this is cut off below.
MOST_BYTES = 150_000
WAYS = {"wide-light": (WIDE, "light"), "narrow-dark": (NARROW, "dark")}
TALLEST = 1600
DEMO = (1400, 900)


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


def draw(tab, file, width, most=MOST_BYTES):
    """Draws what stands on the page, from the top, as far as the size of a file allows."""
    height = min(TALLEST, tab.evaluate("document.documentElement.scrollHeight"))
    while True:
        clip = {"x": 0, "y": 0, "width": width, "height": height}
        picture = tab.screenshot(full_page=True, clip=clip)
        if len(picture) <= most:
            file.write_bytes(picture)
            print(f"{file}: {width} × {height}, {len(picture) // 1000} KB")
            return
        height = height * 9 // 10


def draw_demo(folder):
    """The three columns, after somebody has bought on the telephone and a month went by."""
    with Pair("--example", clock=("--clock", "frozen")) as pair, sync_playwright() as playwright:
        people = People(launch(playwright), pair)
        tab = people.operator().new_page()
        tab.goto(pair.shop_url + "/")
        tab.get_by_label("Customer", exact=True).fill("ada")
        tab.get_by_role("button", name="Show this customer").click()
        phone = tab.frame_locator("iframe[name=phone]")
        phone.get_by_role("link", name="See Your Options").last.click()
        phone.get_by_role("link", name="Try It Free: Vegetable Patch, 1 month").click()
        phone.locator("form[action^='/account/buy/'] button[type=submit]").click()
        phone.locator("main a", has_text="Purchases").first.wait_for()
        for _ in range(2):
            tab.get_by_role("button", name="A month later").click()
            tab.wait_for_load_state("networkidle")
        for way, (pixels, scheme) in WAYS.items():
            wide = pixels == WIDE
            context = people.operator(
                storage_state=tab.context.storage_state(), color_scheme=scheme,
                viewport=size(DEMO if wide else pixels))
            shown = context.new_page()
            shown.goto(pair.shop_url + "/")
            shown.wait_for_load_state("networkidle")
            draw(shown, folder / f"demo-{way}.png", (DEMO if wide else pixels)[0],
                 most=220_000)
            context.close()


def draw_merchant(folder):
    """The merchant's console and the shop."""
    with Pair() as pair, sync_playwright() as playwright:
        people = People(launch(playwright), pair)
        merchant_people.plant(production_of(pair), hostile=[])
        for way, (pixels, scheme) in WAYS.items():
            how = {"viewport": size(pixels), "color_scheme": scheme}
            for context, addresses in [
                    (people.operator(**how), merchant_pages(pair)),
                    (people.customer("nina", **how), {"shop": "/shop", "content": "/shop/content"}),
                    (people.customer("tina", **how), {"price": "/shop/price"}),
                    (people.customer("anna", **how), {"plan": "/shop/plan", "help": "/shop/help"})]:
                tab = context.new_page()
                for name, address in addresses.items():
                    tab.goto(pair.shop_url + address)
                    draw(tab, folder / f"merchant-{name}-{way}.png", pixels[0])
                context.close()


def merchant_pages(pair):
    app = pair.app
    return {
        "overview": path(), "customers": path("customers"),
        "customer": path("customers", app, "anna"), "unowned": path("unowned"),
        "campaign": path("campaigns", app, "spring"),
        "texts": path("campaigns", app, "spring", "texts"),
        "outage": path("outages", app, "outage"), "figures": path("figures", days=200)}


def main(folder, only=None):
    folder.mkdir(parents=True, exist_ok=True)
    draw_demo(folder)
    if only == "demo":
        return
    draw_merchant(folder)
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
    main(Path(sys.argv[1]), *sys.argv[2:3])
