"""Every page of the shop, in four languages, large and on a watch."""

import pytest
from browser import NARROW, size
from crawl import SEVERAL_AT_MERCHANT, Crawl, links_below
from developer import WATCH
from inspection import AXE, ALL_RULES, EVERY_WIDTH, OVERFLOW, RUN_AXE, TEXT, Inspector
from merchant_people import HOSTILE
from page_rules import (
    check_answers, test_all_are_accessible_in_light_and_dark_wide_and_narrow,
    test_all_are_well_formed, test_browsers_complain_of_none,
    test_buttons_and_fields_are_seen_in_forced_colours, test_none_asks_anybody_else,
    test_none_is_heavy, test_none_scrolls_sideways_even_if_narrow_or_enlarged)

# A browser's languages, each with the language and the direction of the pages.
LANGUAGES = {
    "en-US": ("en", "ltr"), "de-DE": ("de", "ltr"), "ja-JP": ("ja", "ltr"), "ar-EG": ("ar", "rtl")}
# Who looks, and where; a crawl comes to the rest.
SIGHTS = {
    "nina": ["/shop"], "anna": ["/shop/plan", "/shop/content", "/shop?all=1"],
    "ben": ["/shop/content"], "emil": ["/shop/content"], "kim": ["/shop"],
    "olga": ["/shop/plan"], "tina": ["/shop/price"], "uta": ["/shop/price"],
    HOSTILE[0]: ["/shop/help"]}
# In the other languages nobody crawls.
FEWER = {
    "nina": ["/shop", "/shop/content", "/shop/help"], "anna": ["/shop/plan"],
    "kim": ["/shop"], "tina": ["/shop/price"], "uta": ["/shop/price"]}


@pytest.fixture(scope="module", params=LANGUAGES)
def language(request):
    return request.param


@pytest.fixture(scope="module")
def pages(people, pair, language):
    pages, is_english = [], language == "en-US"
    crawl = Crawl([], SEVERAL_AT_MERCHANT)
    for account, addresses in (SIGHTS if is_english else FEWER).items():
        context = people.customer(account, locale=language)
        inspector = Inspector(context, pair.shop_url, links_below("/shop"))
        for address in addresses:
            is_new = is_english and crawl.is_first_of_its_kind(address)
            page = inspector.look(address, EVERY_WIDTH if is_new else (NARROW,))
            crawl.meet(page.links)
            pages.append(page)
        if is_english and account == "nina":
            for address in crawl:
                pages.append(inspector.look(address))
                crawl.meet(pages[-1].links)
        context.close()
    context = people.stranger(locale=language)
    pages.append(Inspector(context, pair.shop_url).look("/shop/sign-in"))
    context.close()
    return pages


def test_all_answer(pages):
    check_answers(pages, lambda page: 200)


def test_the_pages_are_in_the_language_of_the_browser(people, pair, language):
    context = people.customer("nina", script=False, locale=language)
    tab = context.new_page()
    for address in ["/shop", "/shop/help", "/shop/content"]:
        tab.goto(pair.shop_url + address)
        root = tab.locator("html")
        assert (root.get_attribute("lang"), root.get_attribute("dir")) == LANGUAGES[language]
        if language != "en-US":
            assert "Every period" not in tab.evaluate(TEXT)
    context.close()


@pytest.mark.parametrize("account", ["nina", "anna", "kim"])
def test_a_watch_shows_it_without_scrolling_sideways(people, pair, language, account):
    context = people.customer(account, viewport=size(WATCH), locale=language)
    tab = context.new_page()
    tab.goto(pair.shop_url + "/shop/compact")
    tab.evaluate(AXE)
    for scheme in ["light", "dark"]:
        tab.emulate_media(color_scheme=scheme)
        assert tab.evaluate(OVERFLOW) == []
        assert tab.evaluate(RUN_AXE, ALL_RULES) == []
    context.close()


@pytest.mark.parametrize("account", ["nina", "anna", "tina"])
def test_all_say_the_same_without_script(people, pair, account):
    said = []
    for script in [True, False]:
        context = people.customer(account, script=script)
        tab = context.new_page()
        said.append([])
        for address in ["/shop", "/shop/content", "/shop/plan", "/shop/price", "/shop/help"]:
            tab.goto(pair.shop_url + address)
            said[-1].append(tab.evaluate(TEXT))
        context.close()
    assert said[0] == said[1]
