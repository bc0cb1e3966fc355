"""The pytest plugin: fixtures around one store per test session."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Callable, Iterator

import pytest

from .catalogue import Catalogue
from .customer import Customer
from .faults import Faults
from .notifications import Listener, Notifications
from .running import START, RunningStore, StartError
from .store import Store

if TYPE_CHECKING:
    from datetime import datetime

    from appstoreserverlibrary.api_client import AppStoreServerAPIClient
    from appstoreserverlibrary.signed_data_verifier import SignedDataVerifier


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addini("perennial_catalogue", "the .storekit file of what the app sells", "paths")
    parser.addini("perennial_start", f"what the clock shows first (default: {START})",
                  default=START)
    parser.addini("perennial_options", "further options of `perennial serve`", "args",
                  default=["--rate-limits", "none"])


@pytest.fixture(scope="session")
def perennial_catalogue(pytestconfig: pytest.Config) -> Catalogue | Path:
    """What the store sells. Override this fixture to build it in code, as a `Catalogue`."""
    named: list[Path] = pytestconfig.getini("perennial_catalogue")
    if len(named) != 1:
        pytest.fail("The store needs one catalogue. Set perennial_catalogue = App.storekit in "
                    "pytest's configuration, or override the fixture perennial_catalogue.",
                    pytrace=False)
    return named[0]


@pytest.fixture(scope="session")
def perennial_store(
    perennial_catalogue: Catalogue | Path, pytestconfig: pytest.Config,
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[RunningStore]:
    """The store of this test process; with pytest-xdist each process has its own."""
    try:
        running = RunningStore(
            tmp_path_factory.mktemp("perennial"), perennial_catalogue,
            start=pytestconfig.getini("perennial_start"),
            options=pytestconfig.getini("perennial_options"))
    except StartError as error:
        raise pytest.fail.Exception(str(error), pytrace=False) from None
    yield running
    running.stop()


@pytest.fixture
def store(perennial_store: RunningStore) -> Store:
    """A fresh world: nobody has bought anything, and the clock shows `perennial_start`."""
    try:
        perennial_store.rewind()
    except StartError as error:
        raise pytest.fail.Exception(str(error), pytrace=False) from None
    return Store(perennial_store.ready)


@pytest.fixture
def customer(store: Store) -> Customer:
    """A customer who is signed in; `store.customer("ada")` makes more."""
    return store.customer()


@pytest.fixture
def advance(store: Store) -> Callable[[str], datetime]:
    """`advance("P1M")` moves the clock, through everything that happens until then."""
    return store.advance


@pytest.fixture
def faults(store: Store) -> Faults:
    """Lost, late and repeated notifications, and calls that fail."""
    return store.faults


@pytest.fixture(scope="session")
def _perennial_listener() -> Iterator[Listener]:
    listener = Listener()
    yield listener
    listener.close()


@pytest.fixture
def notifications(store: Store, _perennial_listener: Listener) -> Notifications:
    """What the store sends. Your server gets it too after `notifications.forward_to(url)`."""
    return Notifications(store, _perennial_listener)


@pytest.fixture
def apple_client(store: Store) -> AppStoreServerAPIClient:
    """Apple's client of the App Store Server API, for the store."""
    return store.apple_client()


@pytest.fixture
def apple_verifier(store: Store) -> SignedDataVerifier:
    """Apple's verifier of signed data, for the store."""
    return store.apple_verifier()
