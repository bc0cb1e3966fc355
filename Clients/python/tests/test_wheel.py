"""A wheel that has the program inside is found to have it, and is the same each time."""

import os
import platform
import subprocess
import sys
import zipfile

import pytest
from conftest import ROOT

CLIENT = ROOT / "Clients" / "python"
PROGRAM = "perennial_testing/installed/bin/perennial"
FIND = "import perennial_testing; print(perennial_testing.find_program())"


@pytest.fixture
def build(tmp_path):
    """Builds a wheel, with a folder as PERENNIAL_INSTALLED, and returns its path."""
    def build(name, installed=None):
        variables = {"SOURCE_DATE_EPOCH": "1700000000"}
        if installed:
            variables["PERENNIAL_INSTALLED"] = str(installed)
        made = subprocess.run(
            [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", tmp_path / name],
            cwd=CLIENT, capture_output=True, text=True, env=os.environ | variables)
        assert made.returncode == 0, made.stderr
        [wheel] = (tmp_path / name).iterdir()
        return wheel
    return build


@pytest.fixture
def installed(tmp_path):
    """What a tarball has, with a program that says what it was told."""
    folder = tmp_path / "unpacked"
    for name, text, mode in [
            ("bin/perennial", '#!/bin/sh\necho "I am $0: $*"\nexit 7\n', 0o755),
            ("share/perennial/Garden.storekit", "{}", 0o644)]:
        (folder / name).parent.mkdir(parents=True)
        (folder / name).write_text(text)
        (folder / name).chmod(mode)
    return folder


@pytest.fixture
def site(build, installed, tmp_path):
    """A folder where pip has installed the wheel."""
    folder = tmp_path / "site"
    done = subprocess.run(
        [sys.executable, "-m", "pip", "install", "--no-deps", "--no-index", "--target", folder,
         build("made", installed)], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return folder


def python(site, *words, **variables):
    kept = {name: value for name, value in os.environ.items() if name != "PERENNIAL"}
    return subprocess.run(
        [sys.executable, *map(str, words)], capture_output=True, text=True,
        env=kept | {"PYTHONPATH": str(site)} | variables)


def test_the_wheel_is_for_this_machine_and_has_a_program_that_runs(build, installed):
    wheel = build("made", installed)
    assert wheel.name.endswith(f"-py3-none-linux_{platform.machine()}.whl")
    with zipfile.ZipFile(wheel) as archive:
        entry = archive.getinfo(PROGRAM)
        assert entry.external_attr >> 16 & 0o777 == 0o755
        assert entry.date_time == (2023, 11, 14, 22, 13, 20)
        assert "perennial_testing/installed/share/perennial/Garden.storekit" in archive.namelist()


def test_the_same_program_makes_the_same_wheel(build, installed):
    assert build("one", installed).read_bytes() == build("two", installed).read_bytes()


def test_without_a_program_the_wheel_is_for_every_machine(build):
    wheel = build("made")
    assert wheel.name.endswith("-py3-none-any.whl")
    with zipfile.ZipFile(wheel) as archive:
        assert not [name for name in archive.namelist() if "installed" in name or "data" in name]


def test_a_folder_without_a_program_makes_no_wheel(build, tmp_path):
    with pytest.raises(AssertionError, match="which has no bin/perennial"):
        build("made", tmp_path)


def test_the_program_inside_is_found_before_the_path(site, installed):
    found = python(site, "-c", FIND, PATH=f"{installed / 'bin'}:{os.environ['PATH']}")
    assert found.stdout.strip() == str(site / PROGRAM), found.stderr


def test_the_variable_is_found_before_the_program_inside(site, installed):
    named = str(installed / "bin" / "perennial")
    found = python(site, "-c", FIND, PERENNIAL=named)
    assert found.stdout.strip() == named, found.stderr


def test_the_command_is_the_program_inside(site):
    told = python(site, site / "bin" / "perennial", "clock", "show now")
    assert told.stdout == f"I am {site / PROGRAM}: clock show now\n", told.stderr
    assert told.returncode == 7
