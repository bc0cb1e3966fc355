"""What the tests share: one browser, one store with people in it, its two consoles."""

import garden
import pytest
import world
from browser import Consoles, launch
from customer import Visitors
from playwright.sync_api import sync_playwright
from store import BOTH, Environment, Store
from story import NUMBERS, Operator


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
def shop():
    """Production of a store in which people have accounts to look at."""
    with Store() as store:
        environment = Environment(store, "production")
        garden.plant(environment)
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


def pytest_collection_modifyitems(items):
    """The pages are looked at before anybody pushes a button."""
    first = ["test_pages.py", "test_account_pages.py", "test_account_items.py"]
    items.sort(key=lambda item: (*first, item.path.name).index(item.path.name))
