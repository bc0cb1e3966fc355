"""What is asked of every page, whoever sees it, by the tests of pages.

A module of tests that imports those below has a fixture `pages` of what an Inspector saw.
"""

from inspection import TEXT

MOST_BYTES = 100_000


def complaints(pages, of):
    """What is wrong, a line each; `of` tells for a page."""
    return "\n".join(f"{page.address}: {what}" for page in pages for what in of(page))


def seen_ways(findings):
    return [f"({way[0]}, {way[1]} px) {what}" for way, found in findings.items() for what in found]


def check_answers(pages, expected):
    """All have something on them, and the status that is expected of the page."""
    wrong = complaints(pages, lambda page: [
        f"{page.status}" for _ in [1] if page.status != expected(page)])
    assert not wrong, wrong
    assert all(page.main for page in pages)


def check_without_script(pages, context, url):
    """All say the same in a context that runs no script, which is closed then."""
    tab, wrong = context.new_page(), []
    for page in pages:
        response = tab.goto(url + page.address)
        if response.status != page.status or tab.evaluate(TEXT) != page.main:
            wrong.append(f"{page.address}: something else than with script")
    context.close()
    assert not wrong, "\n".join(wrong)


def test_all_are_well_formed(pages):
    wrong = complaints(pages, lambda page: page.mistakes + page.structure)
    assert not wrong, wrong


def test_none_is_heavy(pages):
    wrong = complaints(pages, lambda page: [
        f"{page.length} bytes" for _ in [1] if page.length > MOST_BYTES])
    assert not wrong, wrong


def test_browsers_complain_of_none(pages):
    wrong = complaints(pages, lambda page: page.messages)
    assert not wrong, wrong


def test_none_asks_anybody_else(pages):
    wrong = complaints(pages, lambda page: page.strangers)
    assert not wrong, wrong


def test_all_are_accessible_in_light_and_dark_wide_and_narrow(pages):
    wrong = complaints(pages, lambda page: seen_ways(page.inaccessible))
    assert not wrong, wrong


def test_none_scrolls_sideways_even_if_narrow_or_enlarged(pages):
    wrong = complaints(pages, lambda page: seen_ways(page.overflowing))
    assert not wrong, wrong


def test_buttons_and_fields_are_seen_in_forced_colours(pages):
    wrong = complaints(pages, lambda page: page.borderless)
    assert not wrong, wrong
