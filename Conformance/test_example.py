"""The example that people copy from."""

import json
import subprocess
import sys

from perennial import ROOT, Perennial


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
