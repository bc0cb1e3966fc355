"""The example that people copy from."""

import json
import subprocess
import sys

import pytest
from perennial import BACKENDS, PAPER, ROOT, Perennial, database


def test_the_python_example_shows_a_year_of_renewals(tmp_path):
    with Perennial() as server:
        ready = tmp_path / "ready.json"
        ready.write_text(json.dumps(server.ready))
        shown = subprocess.run(
            [sys.executable, ROOT / "Examples" / "python" / "a_year.py", ready],
            capture_output=True, text=True, timeout=120)
    assert shown.returncode == 0, shown.stderr
    periods = shown.stdout.splitlines()[2:]
    assert len(periods) == 13
    assert "31 Jan 2026 to 28 Feb 2026" in periods[0] and "FREE_TRIAL" in periods[0]
    assert all("4.99 USD  RENEWAL" in period for period in periods[1:])


@pytest.mark.parametrize("backend", BACKENDS)
def test_the_story_of_a_bundle(tmp_path, backend):
    with database(backend) as url, Perennial(
            "--bundle-id", "com.example.paper", at="2026-01-10T00:00:00Z", catalogue=PAPER,
            database=url) as server:
        plays(server, "a_bundle.py", tmp_path)


@pytest.mark.parametrize("backend", BACKENDS)
def test_seasons_are_kept_in_both_ways(tmp_path, backend):
    with database(backend) as url, Perennial(
            at="2026-05-01T00:00:00Z", database=url) as server:
        plays(server, "seasons.py", tmp_path)


def plays(server, example, folder):
    ready = folder / "ready.json"
    ready.write_text(json.dumps(server.ready))
    shown = subprocess.run(
        [sys.executable, ROOT / "Examples" / "python" / example, ready], capture_output=True,
        text=True, timeout=300)
    assert shown.returncode == 0, shown.stdout + shown.stderr
    assert shown.stdout.endswith("Everything was as it must be.\n")
