"""The shop in the app's own colour and with its icon (SHP-12)."""

import pytest
from browser import IS_WHOLE, NARROW, WIDE, size
from developer import Pair, People
from inspection import EVERY_WIDTH, Inspector
from page_rules import complaints, seen_ways
from world import VEGETABLES

ICON = (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64">'
    '<rect width="64" height="64" rx="14" fill="#e4572e"/></svg>')
# What a button is painted with, and the words on it.
COLOURS = {
    "1d6b4f": ("rgb(29, 107, 79)", "rgb(255, 255, 255)"),
    "ffe08a": ("rgb(255, 224, 138)", "rgb(0, 0, 0)"),
    # In the middle between black and white, by contrast.
    "757575": ("rgb(117, 117, 117)", "rgb(255, 255, 255)"),
}
ACCOUNTS = ["nina", "anna"]
if not IS_WHOLE:
    # That the command's colour and picture arrive; `make pages-whole` looks at all.
    COLOURS, ACCOUNTS = {"1d6b4f": COLOURS["1d6b4f"]}, ["nina"]


@pytest.fixture(scope="module", params=COLOURS)
def colour(request):
    return request.param


@pytest.fixture(scope="module")
def selling(colour, tmp_path_factory):
    """A shop in which somebody subscribes already."""
    icon = tmp_path_factory.mktemp("look") / "icon.svg"
    icon.write_text(ICON)
    with Pair("--colour", colour, "--icon", icon) as pair:
        pair.command("buy", VEGETABLES, "--account", "anna")
        yield pair


@pytest.fixture(params=ACCOUNTS)
def context(request, chromium, selling):
    context = People(chromium, selling).customer(request.param)
    yield context
    context.close()


def test_buttons_have_the_colour_and_words_that_can_be_read(context, selling, colour):
    tab = context.new_page()
    for pixels in [NARROW, WIDE]:
        tab.set_viewport_size(size(pixels))
        for scheme in ["light", "dark"]:
            tab.emulate_media(color_scheme=scheme)
            # What there is to buy, also for somebody who subscribes already.
            tab.goto(selling.shop_url + "/shop?all=1")
            seen = tab.locator("main .act, main button:not(.plain)").first.evaluate("""node => {
                const style = getComputedStyle(node);
                return [style.backgroundColor, style.color];
            }""")
            assert tuple(seen) == COLOURS[colour]


def test_the_icon_is_shown(context, selling):
    tab = context.new_page()
    tab.goto(selling.shop_url + "/shop")
    icon = tab.locator("header img").first
    assert icon.evaluate("image => image.complete && image.naturalWidth > 0")
    assert icon.get_attribute("alt") == ""


def test_every_page_can_be_read(context, selling):
    inspector = Inspector(context, selling.shop_url)
    pages = [
        inspector.look(f"/shop{path}", EVERY_WIDTH if path == "" else (NARROW,))
        for path in ["", "/content", "/plan", "/help"]]
    assert not complaints(pages, lambda page: seen_ways(page.inaccessible))
    assert not complaints(pages, lambda page: seen_ways(page.overflowing))
    assert not complaints(pages, lambda page: page.messages + page.strangers + page.mistakes)
