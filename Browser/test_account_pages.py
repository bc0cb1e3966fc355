"""Every page that customers see, as everybody sees it who has something there.

The English pages are found by their links; those of other languages are the same pages.
"""

import pytest
from account_people import (
    ALMANAC, BOUQUET, BOX, CODE, DOCTOR, ESTATE, FLOWERS, HOSTILE_PRODUCT, PASS, SEEDS, YEARLY,
    subscription)
from browser import NARROW, SMALLEST, WIDE, size
from crawl import Crawl, kind, links_below
from customer import path
from inspection import (
    AXE, ALL_RULES, EVERY_WIDTH, OVERFLOW, RUN_AXE, SQUEEZED, TEXT, Inspector, mistakes)
from page_rules import (
    MOST_BYTES, check_answers, test_all_are_accessible_in_light_and_dark_wide_and_narrow,
    test_all_are_well_formed, test_browsers_complain_of_none,
    test_buttons_and_fields_are_seen_in_forced_colours, test_none_asks_anybody_else,
    test_none_is_heavy, test_none_scrolls_sideways_even_if_narrow_or_enlarged)
from world import HOSTILE_NAMES, HOSTILE_QUESTIONS, VEGETABLES

# By language: in which colours and how wide it is looked at with axe, that is not so everywhere.
LANGUAGES = {
    "de-DE": ("dark", NARROW), "ja-JP": ("light", NARROW), "ar-SA": ("dark", WIDE)}
REFUSED = {
    path("nowhere"): 404, path("subscriptions", "1"): 404, path("buy", "nothing"): 404,
    path("purchases", "1"): 404, path("mailbox", "1"): 404, path("redeem", "offer", code="é"): 400,
    path("redeem", "offer", code="NONE2026"): 404,
    path("redeem", "offer", code=BOUQUET, via="url"): 409,
    path("buy", SEEDS, quantity="eleven"): 400,
}


def visits(shop):
    """Where to begin, by account: what no link leads to."""
    one = {
        account: subscription(shop, account)
        for account in ["omar", "lena", "paul", "greta", "heidi", "yuki"]}
    omar = [path(), path("sign-in"), path("sign-in", code="0"), path("terms"),
            path("subscriptions", one["omar"], "price"), path("buy", YEARLY),
            path("redeem", code=CODE), path("buy", ALMANAC), path("buy", SEEDS, quantity=3), path("buy", PASS),
            path("buy", HOSTILE_PRODUCT), *REFUSED]
    yield "omar", omar
    yield "mia", [path(), path("family"), path("help", "missing"), path("buy", BOX),
                  path("purchases")]
    yield "lena", [path("subscriptions", one["lena"], "resubscribe"), path()]
    yield "paul", [path("subscriptions", one["paul"]),
                   path("subscriptions", one["paul"], "cancel")]
    yield "greta", [path("subscriptions", one["greta"]),
                    path("subscriptions", one["greta"], "plans", VEGETABLES)]
    yield "heidi", [path("subscriptions", one["heidi"], *rest) for rest in [[], ["price"]]]
    yield "yuki", [path("subscriptions", one["yuki"], *rest) for rest in [[], ["plans"]]]
    yield "ivan", [path("help", "missing"), path("buy", SEEDS)]
    yield "otto", [path("buy", FLOWERS)]
    yield "leo", [path("buy", SEEDS, "result", bill="1")]
    yield "nina", [path(), path("purchases"), path("family"), path("mailbox"), path("sharing"),
                   path("buy", VEGETABLES), path("buy", DOCTOR),
                   path("redeem", "offer", code=CODE, via="url"),
                   *(path("redeem", code=question) for question in HOSTILE_QUESTIONS)]
    yield HOSTILE_NAMES[0], [path(), path("family"), path("buy", ESTATE), path("purchases")]


def expected_status(address):
    return 422 if address == path("sign-in", code="0") else REFUSED.get(address, 200)


@pytest.fixture(scope="module")
def visited(visitors, shop):
    """All pages in English, looked at, by account."""
    visited = {}
    for account, beginnings in visits(shop):
        context = visitors.context(account)
        inspector = Inspector(context, shop.url, links_below("/account"))
        crawl = Crawl(beginnings)
        # What others have is seen where it differs.
        follows = account == "omar"
        for address in crawl:
            is_new = follows and crawl.is_first_of_its_kind(address)
            page = inspector.look(address, EVERY_WIDTH if is_new else (NARROW,))
            if follows:
                crawl.meet(page.links)
            visited[account, address] = page
            page.address = f"{account[:12]}: {address}"
            page.expected = expected_status(address)
        context.close()
    return visited


@pytest.fixture(scope="module")
def pages(visited):
    return list(visited.values())


def test_all_answer(pages):
    check_answers(pages, lambda page: page.expected)
    assert len(pages) > 60


def by_account(visited):
    accounts = {}
    for account, address in visited:
        accounts.setdefault(account, []).append(address)
    return accounts.items()


def test_all_say_the_same_without_script(visited, visitors, shop):
    wrong = []
    for account, addresses in by_account(visited):
        context = visitors.context(account, script=False)
        tab = context.new_page()
        for address in addresses:
            response, page = tab.goto(shop.url + address), visited[account, address]
            if response.status != page.status or tab.evaluate(TEXT) != page.main:
                wrong.append(f"{page.address}: something else than with script")
        context.close()
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("language", LANGUAGES)
def test_all_are_as_good_in_other_languages(visited, visitors, shop, language):
    scheme, pixels = LANGUAGES[language]
    wrong, looked_at, kinds = [], 0, set()
    for account, addresses in by_account(visited):
        context = visitors.context(account, locale=language, color_scheme=scheme)
        tab = context.new_page()
        messages = []
        tab.on("console", lambda one, messages=messages: (
            one.type == "error" and "status of" not in one.text and messages.append(one.text)))
        for address in addresses:
            response = tab.goto(shop.url + address)
            body = response.body()
            found = mistakes(body) + messages
            messages.clear()
            if len(body) > MOST_BYTES:
                found.append(f"{len(body)} bytes")
            if response.status != visited[account, address].status:
                found.append(f"{response.status}")
            for width in [WIDE, SMALLEST]:
                tab.set_viewport_size(size(width))
                found += tab.evaluate(OVERFLOW) + tab.evaluate(SQUEEZED)
            if kind(address) not in kinds:
                kinds.add(kind(address))
                tab.set_viewport_size(size(pixels))
                tab.evaluate(AXE)
                found += tab.evaluate(RUN_AXE, ALL_RULES)
            said = tab.evaluate("[document.documentElement.lang, document.documentElement.dir]")
            # An unknown path is answered before anybody knows who reads.
            if address != path("nowhere") and said != [language[:2], "rtl" if language == "ar-SA" else "ltr"]:
                found.append(f"{said}")
            wrong += [f"{account[:12]}: {address}: {what}" for what in found]
            looked_at += 1
        context.close()
    assert looked_at == len(visited)
    assert not wrong, "\n".join(wrong)
