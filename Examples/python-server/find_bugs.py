"""Plants each bug of bugs/*.patch into a copy of the server, and says which tests find it.

    python find_bugs.py

Exits with 1 if a bug stays unnoticed.
"""

import re
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

HERE = Path(__file__).resolve().parent


def failing_tests(patch):
    """The tests that fail once the patch was applied."""
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(shutil.copytree(HERE, Path(folder, "server")))
        subprocess.run(["git", "apply", patch], cwd=copy, check=True)
        run = subprocess.run(
            [sys.executable, "-m", "pytest", "-q", "-o",
             f"perennial_catalogue={HERE.parent / 'Garden.storekit'}"],
            cwd=copy, capture_output=True, text=True)
    # What could not be run at all has found nothing.
    if run.returncode not in (0, 1) or " error" in run.stdout.splitlines()[-1]:
        sys.exit(run.stdout + run.stderr)
    return re.findall(r"^FAILED \S+::(\w+)", run.stdout, re.MULTILINE)


def main():
    patches = sorted(HERE.glob("bugs/*.patch"))
    with ThreadPoolExecutor() as pool:
        found = dict(zip(patches, pool.map(failing_tests, patches)))
    for patch, tests in found.items():
        print(f"{patch.stem}: {'' if tests else 'NO TEST FINDS IT'}")
        for test in tests:
            print(f"  {test}")
    return 0 if all(found.values()) else 1


if __name__ == "__main__":
    sys.exit(main())
