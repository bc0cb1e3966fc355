"""What the tests share: one browser, one store with people in it, its two consoles.

And beside it a store with a merchant, for the merchant's pages.
"""

import account_people
import merchant_people
import pytest
import world
from browser import IS_WHOLE, Consoles, launch
from customer import Visitors
from developer import Pair, People, production as production_of
from playwright.sync_api import sync_playwright
from store import BOTH, Environment, Store
from story import NUMBERS, Operator


if not IS_WHOLE:
    collect_ignore = [
        "test_account_pages.py", "test_account_firefox.py", "test_account_keyboard.py",
        "test_account_stories.py", "test_merchant_firefox.py", "test_merchant_pages.py",
        "test_merchant_stories.py", "test_shop_pages.py", "test_shop_stories.py"]


@pytest.fixture(scope="session")
def chromium():
    with sync_playwright() as playwright:
        chromium = launch(playwright)
        yield chromium
        chromium.close()


@pytest.fixture(scope="session")
def store():
    """A store in which a year has gone by."""
    with Store() as store:
        world.plant(*(Environment(store, name) for name in BOTH))
        yield store


@pytest.fixture(scope="session")
def consoles(chromium):
    return Consoles(chromium)


@pytest.fixture(scope="session")
def production(store):
    return Environment(store, "production")


@pytest.fixture(scope="session")
def sandbox(store):
    return Environment(store, "sandbox")


@pytest.fixture(scope="session")
def pair(chromium):
    """A store and a merchant in which half a year has gone by."""
    with Pair() as pair:
        merchant_people.plant(production_of(pair))
        # The app of a member of a family starts, and sends what is shared with her.
        context = People(chromium, pair).customer("olga")
        sent = context.request.post(
            f"{pair.shop_url}/shop/restore", headers={"Sec-Fetch-Site": "same-origin"}, form={})
        assert sent.ok
        context.close()
        yield pair


@pytest.fixture(scope="session")
def beside(pair):
    """Production of the store beside the merchant, by the command line."""
    return production_of(pair)


@pytest.fixture(scope="session")
def people(chromium, pair):
    return People(chromium, pair)


@pytest.fixture(scope="session")
def shop():
    """Production of a store in which people have accounts to look at."""
    with Store() as store:
        environment = Environment(store, "production")
        account_people.plant(environment)
        yield environment


@pytest.fixture(scope="session")
def visitors(chromium, shop):
    return Visitors(chromium, shop)


@pytest.fixture
def tab(consoles, production):
    """A tab of the operator's in Production."""
    context = consoles.operator(production)
    yield context.new_page()
    context.close()


@pytest.fixture(params=[True, False], ids=["with script", "without script"])
def script(request):
    return request.param


@pytest.fixture
def operator(consoles, production, script):
    context = consoles.operator(production, script=script)
    yield Operator(context, production, script)
    context.close()


@pytest.fixture
def customer(production):
    """Makes a customer whom no other test knows."""

    def make(product):
        account = f"gardener-{next(NUMBERS)}"
        production("buy", product, "--account", account)
        return account

    return make


# It takes longest, so it has a process and a copy of the store of its own.
APART = "test_pages.py"


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items):
    """The pages are looked at before anybody pushes a button.

    The demonstration moves the clock by months, so it is last. Tests that share a store run in one
    process. xdist reads the marks in this same hook, so that they must be there first.
    """
    for item in items:
        shared = [name for name in ("store", "shop", "pair") if name in item.fixturenames]
        if item.path.name == APART or not shared:
            shared = [item.path.name]
        item.add_marker(pytest.mark.xdist_group(shared[0]))
    items.sort(key=lambda item: (
        item.path.name != APART,
        not item.path.name.endswith(("pages.py", "account_items.py")),
        item.path.name == "test_demo.py"))
