"""People to look at: lives of all kinds, and names that mean harm."""

import contextlib

from store import PAPER, Refused

GARDEN = "com.example.garden."
VEGETABLES, FLOWERS = GARDEN + "vegetables.monthly", GARDEN + "flowers.monthly"
ESTATE, WINDOW_BOX = GARDEN + "estate.monthly", GARDEN + "windowbox.weekly"
SEEDS = GARDEN + "seeds.100"
# It stands for what the merchant describes itself.
GENERIC = "com.example.paper.subscription"
# The only one of them who is written to.
ADDRESS = "mona@example.com"

# A sign that forms one character with a neighbour, for which escaping may not look any more.
ACCENT = "\u0301"
ARABIC_NUMBER_SIGN = "\u0600"

# What accounts may be called, though nobody means well who is.
HOSTILE_NAMES = [
    "<img src=x onerror=alert(1)>",
    f"<{ACCENT}img src=x onerror={ACCENT}alert(2)>{ACCENT}",
    f'"{ACCENT} onfocus={ACCENT}alert(3) autofocus x="{ACCENT}',
    "</title></script><script>alert(4)</script>",
    "{{heading}} {{{heading}}} {{> page}}",
    "javascript:alert(5)",
    "../../clock?a=b#c%2f&amp;",
    "شجرة الليمون <b>bold</b> $4.99 (نهاية)",
    "שלום\"; alert(6) //",
    "W" * 256,
    "日本語のとても長い名前" * 20,
    "a" + ACCENT * 100,
]

# What is refused as a name and can be asked for all the same.
HOSTILE_QUESTIONS = [
    f"{ARABIC_NUMBER_SIGN}<img src=x onerror=alert(7)>",
    f"{ARABIC_NUMBER_SIGN}\"{ACCENT} onfocus=alert(8) autofocus x=\"{ACCENT}",
    f"\u202egnp.<svg onload=alert(9)>",
    "%3Cscript%3Ealert(10)%3C/script%3E",
]


def plant(production, sandbox, with_hostile_names=True):
    """Makes both environments' people, and lets a year go by. They share the clock."""
    for name in HOSTILE_NAMES if with_hostile_names else []:
        production("buy", VEGETABLES, "--account", name)
    _live_a_year(production)
    _live_minutes(sandbox)


def _live_a_year(run):
    for account in ["anna", "ben", "clara", "dora", "emil", "fritz"]:
        run("buy", VEGETABLES, "--account", account)
    for account, product in [
            ("gina", ESTATE), ("hugo", FLOWERS), ("ida", WINDOW_BOX), ("anna", SEEDS)]:
        run("buy", product, "--account", account)
    _subscribe_to_items(run)
    run("advance", "P3M")
    _change_items(run)
    run("plan", "anna", ESTATE)
    run("pay", "ben", "decline")
    run("renewal", "clara", "off")
    run("advance", "P20D")
    _name_and_price_items(run)
    run("extensions", "grant", "dora", "--days", 30)
    run("refunds", "issue", "emil")
    run("advance", "P20D")
    # Of what is asked about, roses stay and have company in the end.
    run("consent", "tina", "agree")
    run("advance", "P1M")
    run("advance", "P10D")
    run("pay", "ben", "approve")
    run("advance", "P5M")
    run("buy", VEGETABLES, "--account", "clara")
    run("buy", ESTATE, "--account", "jule")
    run("pay", "fritz", "decline")
    run("app", "set", "--grace-period", "none")
    run("advance", "P1M")
    run("app", "set", "--grace-period", "16")
    run("plan", "jule", VEGETABLES)
    run("pay", "hugo", "decline")
    run("buy", VEGETABLES, "--account", "kurt")
    run("advance", "P15D")
    _leave_things_open(run)


# What a merchant calls its items, one of which means harm.
HOSTILE_ITEM = "<img src=x onerror=alert(11)>"
ITEMS = {"roses": 4.99, "herbs": 2.99, "hedges": 9.99, HOSTILE_ITEM: 1.99}


def item(sku, price):
    return ("--item", f"{sku}:<b>The {sku[:14]}</b>:All of it:{price}")


def _subscribe_to_items(run):
    """A bundle of few items, and one of as many as there can be."""
    run.imports(PAPER)
    run("product", "generic", GENERIC, "on")
    words = ("--name", "The garden's doctor", "--description", "Help with what grows")
    for account, items in [
            ("tina", ITEMS), ("ugo", {f"com.example.plant.{n}": 0.99 for n in range(1, 101)})]:
        run("ac", "create-subscription", "--account", account, *words,
            *(word for sku, price in items.items() for word in item(sku, price)))


def _change_items(run):
    run("ac", "modify-subscription", "tina", "--add", "ponds:Ponds:Water in the garden:6.99",
        "--remove", "hedges")


def _name_and_price_items(run):
    run("ac", "change-metadata", "tina", "--item", "roses:wild.roses:Wild roses:")
    run("ac", "change-price", "tina", "--item", "herbs:1.99", "--item", "wild.roses:14.99:ponds")
    run("ac", "request-refund", "tina", "--item", "ponds:prorated", "--keep", "--reason", "other")


def _ask_about_items(run):
    """What waits of a bundle in the end."""
    run("ac", "modify-subscription", "tina", "--add", "lawns:Lawns:Grass:3.99",
        "--remove", HOSTILE_ITEM)
    run("ac", "change-price", "tina", "--item", "herbs:9.99:lawns")
    run("ac", "cancel", "ugo")


def _leave_things_open(run):
    """What waits for somebody: a request, a bill, a price, an extension for all."""
    _ask_about_items(run)
    run("app", "set", "--refund-policy", "manual")
    run("refunds", "request", "anna")
    run("pay", "leo", "later")
    run("buy", ESTATE, "--account", "leo")
    run("price", "schedule", VEGETABLES, "USA", "7.99", "--existing", "apply")
    run("price", "schedule", ESTATE, "USA", "11.99", "--existing", "preserve",
        "--start", "2028-01-01")
    run("extensions", "grant-all", FLOWERS, "--days", 7, "--watch")
    _offer_and_share(run)


def _offer_and_share(run):
    """Offers with codes, a family, a child that asks, and somebody who is written to."""
    run("buy", ESTATE, "--account", ADDRESS)
    run("offer", "create", ESTATE, "promotional", "spring", "--mode", "pay-as-you-go",
        "--period", "P1M", "--count", 3, "--price", "2.99", "--storefront", "USA")
    run("offer", "create", ESTATE, "win-back", "back", "--mode", "free", "--period", "P2W",
        "--begins", "2028-06-01",
        "--paid-months", 3, "--from-months", 1, "--to-months", 12)
    run("offer", "create", ESTATE, "code", "WELCOME", "--mode", "free", "--period", "P1M",
        "--audience", "new", "--audience", "expired")
    run("offer", "codes", "create", ESTATE, "WELCOME", "--count", 20)
    run("offer", "codes", "create", ESTATE, "WELCOME", "--custom", "SPRING28", "--count", 5000)
    run("family", "create", "anna", "olga")
    run("customer", "set", "peter", "--asks-to-buy", "on")
    run("buy", ESTATE, "--account", "peter")
    run("customer", "set", "rosa", "--interrupts-purchases", "on")
    with contextlib.suppress(Refused):
        run("buy", ESTATE, "--account", "rosa")


def _live_minutes(run):
    for account in ["anna", "ben", "clara", HOSTILE_NAMES[0]]:
        run("buy", VEGETABLES, "--account", account)
    run("advance", "PT11M")
    run("pay", "ben", "decline")
    run("renewal", "clara", "off")
    run("advance", "PT6M")
    # A banner is on every page while any rule is on.
    run("fault", "add", "delayNotifications", "--by", "PT5M")
