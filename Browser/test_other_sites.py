"""What pages of others can do to somebody who is signed in: nothing."""

import pytest
from browser import path
from neighbour import Neighbour
from playwright.sync_api import expect

FORM = """<form method="post" action="{action}">{fields}</form>
<script>document.forms[0].submit()</script>"""
FIELD = '<input type="hidden" name="{}" value="{}">'


@pytest.fixture(scope="module")
def neighbour():
    neighbour = Neighbour()
    yield neighbour
    neighbour.close()


def sending(action, **fields):
    """A page that sends a form as soon as it is opened."""
    return FORM.format(
        action=action, fields="".join(FIELD.format(*field) for field in fields.items()))


@pytest.mark.parametrize("policy", ["", '<meta name="referrer" content="no-referrer">'])
def test_a_form_of_another_site_changes_nothing(tab, production, neighbour, policy):
    before = production.json("clock")
    page = sending(
        production.url + path("clock", "advance"), form="form_1", to="2050-01-01T00:00:00Z")
    tab.goto(neighbour.serve("/advance", policy + page))
    expect(tab.get_by_role("heading", level=1)).to_have_text("Refused")
    assert production.json("clock") == before


def test_another_site_changes_no_customer(tab, production, neighbour):
    page = sending(
        production.url + path("customers", "gina", "payment-method"), behaviour="decline")
    tab.goto(neighbour.serve("/decline", page))
    expect(tab.get_by_role("heading", level=1)).to_have_text("Refused")
    assert production.customer("gina")["paymentMethod"]["behaviour"] == "approve"


def test_another_site_signs_nobody_out(tab, production, neighbour):
    tab.goto(neighbour.serve("/out", sending(production.url + path("sign-out"))))
    expect(tab.get_by_role("heading", level=1)).to_have_text("Refused")
    tab.goto(production.url + path())
    expect(tab.get_by_role("heading", level=1)).to_have_text("Overview")


def test_nor_does_the_console_of_the_other_port(consoles, production, sandbox):
    """To a browser it is the same host: it has the cookies of both."""
    context = consoles.operator(production)
    context.add_cookies(consoles.operator(sandbox).cookies())
    tab = context.new_page()
    tab.goto(sandbox.url + path())
    before = production.json("clock")
    status = tab.evaluate("""async address => {
        const answer = await fetch(address, {method: "POST", mode: "no-cors",
            credentials: "include", body: new URLSearchParams({to: "2050-01-01T00:00:00Z"})})
            .catch(error => error);
        return String(answer);
    }""", production.url + path("clock", "advance"))
    # The page's own policy lets it connect to nobody else.
    assert "TypeError" in status
    assert production.json("clock") == before
    context.close()


def test_the_console_cannot_be_laid_under_another_page(tab, production, neighbour):
    frame = f'<iframe src="{production.url}{path()}" title="console"></iframe>'
    tab.goto(neighbour.serve("/frame", frame))
    tab.wait_for_load_state("networkidle")
    inner = [one for one in tab.frames if one.parent_frame is not None]
    assert len(inner) == 1
    assert "Overview" not in inner[0].content() and inner[0].locator("button, a[href]").count() == 0


def test_one_sign_in_opens_both_environments_a_click_apart(consoles, production, sandbox):
    context = consoles.operator(production)
    tab = context.new_page()
    tab.goto(production.url + path("requests"))
    for there, name in [(sandbox, "Sandbox"), (production, "Production")]:
        tab.locator("header").get_by_role("link", name=name, exact=True).click()
        assert tab.url == there.url + path("requests")
        expect(tab.locator(".environment[aria-current]")).to_have_text(name)
    [cookie] = context.cookies()
    assert cookie["name"] == "perennial-console" and cookie["path"] == "/console"
    assert cookie["httpOnly"] and cookie["sameSite"] == "Lax"
    context.close()


def test_a_browser_that_knows_only_the_port_comes_to_the_console(consoles, production, sandbox):
    context = consoles.operator(production)
    tab = context.new_page()
    for place in [production, sandbox]:
        tab.goto(place.url + "/")
        assert tab.url == place.url + path()
    context.close()
