"""The package's own tests use the plugin as its users do."""

import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest

from perennial_testing import Catalogue, find_program, free, pay_as_you_go, pay_up_front

pytest_plugins = ["pytester"]

ROOT = Path(__file__).resolve().parents[3]
GARDEN = ROOT / "Examples" / "Garden.storekit"
# Where tests change PATH too.
PS = shutil.which("ps") or "ps"


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
    """A project of somebody's, whose tests run in a process of their own, and leave none behind."""
    monkeypatch.setenv("PERENNIAL", find_program())
    pytester.makeini(f"[pytest]\nperennial_catalogue = {GARDEN}")
    yield pytester
    soon(lambda: not processes_of(pytester.path))


def soon(happens):
    give_up_at = time.monotonic() + 60
    while not happens():
        assert time.monotonic() < give_up_at
        time.sleep(0.02)


def processes_of(folder):
    """The processes that were started with a path in a folder, as stores and their keepers are."""
    listed = subprocess.run([PS, "-eww", "-o", "args="], capture_output=True, text=True)
    return [line for line in listed.stdout.splitlines() if f"{folder}/" in line]


@pytest.fixture
def run():
    """Runs Python in a folder and returns what it did."""
    def run(*words, cwd):
        return subprocess.run(
            [sys.executable, *map(str, words)], cwd=cwd, capture_output=True, text=True,
            timeout=300, env=os.environ | {"PERENNIAL": find_program()})
    return run
