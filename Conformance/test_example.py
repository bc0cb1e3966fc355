"""The example that people copy from."""

import json
import os
import subprocess
import sys
import uuid

import pytest
from perennial import PAPER, ROOT, Perennial

POSTGRES = os.environ.get("PERENNIAL_TEST_POSTGRES")


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


@pytest.mark.parametrize("backend", ["SQLite", "PostgreSQL"])
def test_the_story_of_a_bundle(tmp_path, backend):
    database = None
    if backend == "PostgreSQL":
        if not POSTGRES:
            pytest.skip("PERENNIAL_TEST_POSTGRES names no server")
        database = f"{POSTGRES.rsplit('/', 1)[0]}/bundle_{uuid.uuid4().hex[:12]}"
        psql(f"CREATE DATABASE {database.rsplit('/', 1)[1]}")
    try:
        with Perennial(
                "--bundle-id", "com.example.paper", at="2026-01-10T00:00:00Z", catalogue=PAPER,
                database=database) as server:
            ready = tmp_path / "ready.json"
            ready.write_text(json.dumps(server.ready))
            shown = subprocess.run(
                [sys.executable, ROOT / "Examples" / "python" / "a_bundle.py", ready],
                capture_output=True, text=True, timeout=300)
        assert shown.returncode == 0, shown.stdout + shown.stderr
        assert shown.stdout.endswith("Everything was as it must be.\n")
    finally:
        if database:
            psql(f"DROP DATABASE {database.rsplit('/', 1)[1]}")


def psql(statement):
    subprocess.run(["psql", "-q", "-c", statement, POSTGRES], check=True, capture_output=True)
