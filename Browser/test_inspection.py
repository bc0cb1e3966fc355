"""The inspector finds what it is meant to find."""

import pytest
from inspection import EVERY_WIDTH, Inspector
from neighbour import Neighbour

BAD = """<style>
  button { border: 0 } p { color: #ccc; background: #fff }
  @media (prefers-color-scheme: dark) { h2 { color: #333; background: #222 } }
  h3, h4 { color: #ccc; background: #fff } h3 { display: none } h4 { color: #000 }
  @media (max-width: 30rem) { h3 { display: block } h4 { color: #ccc } }
  h5 { color: #555; background: #fff } section { opacity: .4 }
</style>
<main><p id="a">Too pale</p><p id="a">Twice</p><h2>Too dark</h2><h3>Narrow</h3><h4>Pale</h4>
<h5>As it should be</h5><section><h5>The same, but pale</h5></section>
<button>Go</button><img src="http://127.0.0.1:9/x.png"><div style="width: 1500px">wide</div>
<p style="width: 15rem">of text</p><a href="#nowhere">down</a></b>
<script>setTimeout(() => { throw new Error("oh no") }); alert("hello")</script></main>"""

# A text that axe does not judge, in a look that no other text has.
DRAWN = """<main><svg><text y="20" fill="#123457">No</text></svg></main>"""


@pytest.fixture(scope="module")
def look(consoles):
    neighbour = Neighbour()
    address = neighbour.serve("/bad", BAD)
    neighbour.serve("/drawn", DRAWN)
    context = consoles.stranger()
    inspector = Inspector(context, address.removesuffix("/bad"))
    yield lambda path="/bad", **how: inspector.look(path, **how)
    context.close()
    neighbour.close()


@pytest.fixture(scope="module")
def page(look):
    return look(rules_at=EVERY_WIDTH)


@pytest.fixture(scope="module")
def careless(look):
    return look()


@pytest.mark.parametrize("what", [
    "several have the id a", "a link leads to #nowhere, which is not there",
    "0 headings of level 1"])
def test_it_sees_the_structure(page, what):
    assert what in page.structure


def test_it_sees_mistakes_and_errors(page):
    assert any("unexpected-end-tag" in one for one in page.mistakes)
    assert any("oh no" in one for one in page.messages)
    assert "a dialog: hello" in page.messages


def test_it_sees_requests_to_others(page):
    assert set(page.strangers) == {"http://127.0.0.1:9/x.png"}


def is_wrong(page, what, *way):
    return any(what in one for one in page.inaccessible[way])


@pytest.mark.parametrize("what, wrong", [
    ("p:nth-child(1)", {("light", 1280), ("dark", 1280), ("light", 390), ("dark", 390)}),
    ("h2", {("dark", 1280), ("dark", 390)}),
    ("h3", {("light", 390), ("dark", 390)}),
    ("h4", {("light", 390), ("dark", 390)}),
    ("section > h5", {("light", 1280), ("dark", 1280), ("light", 390), ("dark", 390)}),
])
def test_it_sees_what_cannot_be_read_in_every_way(page, careless, what, wrong):
    for seen in [page, careless]:
        found = {way for way in seen.inaccessible if is_wrong(seen, f"color-contrast at {what}", *way)}
        assert found == wrong


def test_it_asks_once_about_what_can_be_read(page, careless, look):
    """And again about what cannot be, even where it looks as elsewhere."""
    again = look()
    assert again.inaccessible == careless.inaccessible
    assert 0 < again.looks_asked_about < page.looks_asked_about


def test_it_stops_asking_about_what_axe_does_not_judge(look):
    assert look("/drawn").looks_asked_about == Inspector.MOST_QUESTIONS
    assert look("/drawn").looks_asked_about == 0


def test_it_sees_all_rules_at_the_widths_at_which_it_asks(page, careless):
    assert is_wrong(page, "image-alt", "any", 1280) and is_wrong(page, "image-alt", "any", 390)
    assert is_wrong(careless, "image-alt", "any", 390)
    assert set(page.inaccessible) - set(careless.inaccessible) == {("any", 1280)}
    assert len(careless.overflowing) == 5 and careless.borderless


def test_without_rules_it_judges_colours_and_measures(careless, look):
    found = look(rules_at=())
    assert set(careless.inaccessible) - set(found.inaccessible) == {("any", 390)}
    assert found.overflowing == careless.overflowing and found.borderless


def test_it_sees_what_is_too_wide(page):
    assert all(found and "too wide" in found[0] for found in page.overflowing.values())
    assert len(page.overflowing) == 5


def test_it_sees_buttons_without_a_border(page):
    assert page.borderless == ["no border around Go"]
