"""The package's own tests use the plugin as its users do."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from perennial_testing import Catalogue, find_program, free, pay_as_you_go, pay_up_front

pytest_plugins = ["pytester"]

ROOT = Path(__file__).resolve().parents[3]
GARDEN = ROOT / "Examples" / "Garden.storekit"


@pytest.fixture(scope="session")
def perennial_catalogue():
    catalogue = Catalogue()
    catalogue.group("Pro").subscription(
        "pro.monthly", "9.99", "P1M", level=1, family_shareable=True,
    ).subscription(
        "basic.monthly", "4.99", "P1M", level=2, introductory=free("P1W"),
        codes={"SPRING": free("P1M")}, win_back={"back": pay_as_you_go("1.99", "P1M", 3)},
        promotional={"loyal": pay_up_front("9.99", "P3M")})
    return catalogue.product("coins", "0.99", "Consumable").product(
        "lifetime", "49.99", "NonConsumable", family_shareable=True).product(
        "season", "12.99", "NonRenewingSubscription")


@pytest.fixture
def project(pytester, monkeypatch):
    """A project of somebody's, whose tests run in a process of their own."""
    monkeypatch.setenv("PERENNIAL", find_program())
    pytester.makeini(f"[pytest]\nperennial_catalogue = {GARDEN}")
    return pytester


@pytest.fixture
def run():
    """Runs Python in a folder and returns what it did."""
    def run(*words, cwd):
        return subprocess.run(
            [sys.executable, *map(str, words)], cwd=cwd, capture_output=True, text=True,
            timeout=300, env=os.environ | {"PERENNIAL": find_program()})
    return run
