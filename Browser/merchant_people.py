"""Who lives beside a merchant: lives of all kinds, campaigns, and what went wrong."""

from store import PAPER
from world import ESTATE, FLOWERS, GENERIC, HOSTILE_NAMES, SEEDS, VEGETABLES

# The store takes 256 characters, the merchant 255.
HOSTILE = [HOSTILE_NAMES[at][:255] for at in [0, 1, 2, 3, 7, 9]]
HOSTILE_WORDS = "<img src=x onerror=alert(21)><script>alert(22)</script>"
# Those whose prices rise: by so much that they are asked, and by less.
ASKED, TOLD = ["tina", "theo", "thea"], ["uta", "udo"]

CAMPAIGN = """
campaign: {name}
app: {app}
kind: price
route: merchantManaged
from: 2026-07-02
prices:
- sku: roses
  period: P1M
  to: {{USA: "19.99"}}
- sku: herbs
  period: P1M
  to: {{USA: "3.49"}}
mail:
  from: Garden <news@example.com>
  subject: {{default: "Your price changes {hostile}", de: Ihr Preis ändert sich}}
  text: {{default: increase.txt, de: increase.de.txt}}
sheet:
  title: "Your price changes {hostile}"
  body: "You pay {{oldPrice}} now, and {{newPrice}} from {{date}}. {hostile}"
push:
  title: Your price changes
  body: "From {{date}} it costs {{newPrice}}. {hostile}"
  url: garden://price
"""
MAIL = "You pay {{oldPrice}} now, and {{newPrice}} from {{date}}.\n{hostile}\n{{manageUrl}}\n"
GERMAN_MAIL = "Sie zahlen {oldPrice}, ab dem {date} {newPrice}.\n{manageUrl}\n"
OUTAGE = """
campaign: outage
app: {app}
kind: outage
outage: {{from: "2026-06-28T08:00:00Z", to: "2026-06-29T09:30:00Z"}}
products: [{product}]
days: perBegunDay
reason: 3
mail:
  from: news@example.com
  subject: Some days for free
  text: outage.txt
"""


def plant(run, hostile=tuple(HOSTILE)):
    """Half a year in Production; the merchant hears of all of it."""
    _buy(run, hostile)
    run("advance", "P3M")
    run("plan", "anna", ESTATE)
    run("pay", "ben", "decline")
    run("advance", "P1M")
    run("refunds", "issue", "emil")
    run("renewal", "clara", "off")
    run("advance", "P1M")
    run("pay", "fritz", "decline")
    run("advance", "P20D")
    _items(run)
    _campaigns(run, HOSTILE_WORDS if hostile else "")
    run("advance", "P9D")
    _go_wrong(run)


def _buy(run, hostile):
    for account in ["anna", "ben", "dora", "fritz", *hostile]:
        run("buy", VEGETABLES, "--account", account)
    for account, product in [
            ("clara", ESTATE), ("emil", FLOWERS), ("gina", ESTATE), ("anna", SEEDS)]:
        run("buy", product, "--account", account)
    run("family", "create", "gina", "olga")
    run("family", "share", "gina", "on")
    run("customer", "set", "kim", "--can-make-payments", "off")


def item(sku, price):
    return ("--item", f"{sku}:{sku.capitalize()}:All of it:{price}")


def _items(run):
    """What campaigns are about is described by the merchant itself."""
    run.imports(PAPER)
    run("product", "generic", GENERIC, "on")
    run("app", "set", "--price-change-route", "merchantManaged")
    words = ("--name", "The garden's doctor", "--description", "Help with what grows")
    for account in ASKED:
        run("ac", "create-subscription", "--account", account, *words, *item("roses", 4.99))
    for account in TOLD:
        run("ac", "create-subscription", "--account", account, *words, *item("herbs", 2.99))
    for account in [*ASKED, *TOLD]:
        run.store.app_call("PUT", f"{account}/contact", {
            "email": f"{account}@example.com", "locale": "de" if account == "theo" else "en"})


def _campaigns(run, hostile):
    folder, app = run.store.folder, run.store.app
    for name, text in [
            *((f"{name}.yaml", CAMPAIGN.format(name=name, app=app, hostile=hostile))
              for name in ["spring", "autumn"]),
            ("outage.yaml", OUTAGE.format(app=app, product=VEGETABLES)),
            ("increase.txt", MAIL.format(hostile=hostile)), ("increase.de.txt", GERMAN_MAIL),
            ("outage.txt", "You get {days} days, until {date}.\n")]:
        (folder / name).write_text(text)
    run("campaign", "plan", folder / "spring.yaml")
    run("campaign", "run", folder / "spring.yaml", "--go")
    run("campaign", "run", folder / "outage.yaml", "--go")
    # Nobody begins this one.
    run("campaign", "plan", folder / "autumn.yaml")


def _go_wrong(run):
    """What nobody has claimed, and what was right outside and wrong inside."""
    for account in ["ned", "nora"]:
        run.store.buy_behind_the_merchant(VEGETABLES, account)
    for kind in ["inner-transaction-forged", "inner-transaction-of-another-app"]:
        assert run.store.notify(run("forge", f"notification-{kind}")) == 200
