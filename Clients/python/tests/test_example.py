"""The sample project and the README are what people copy from."""

import re
import resource

import pytest
from conftest import ROOT

SERVER = ROOT / "Examples" / "python-server"


def test_the_sample_s_twelve_tests_take_less_than_ten_seconds(run):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    tested = run("-m", "pytest", "-q", cwd=SERVER)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    assert "12 passed" in tested.stdout, tested.stdout + tested.stderr
    # Of the processor, with the store's: what others do on this machine is no matter.
    seconds = after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime
    assert 1 < seconds < 10


def test_every_planted_bug_is_found(run):
    found = run("find_bugs.py", cwd=SERVER)
    assert found.returncode == 0, found.stdout + found.stderr
    assert len(re.findall(r"^\S+: $", found.stdout, re.MULTILINE)) == 5


@pytest.mark.parametrize("readme, fence, count", [
    (ROOT / "Clients" / "python" / "README.md", "python", 2), (ROOT / "README.md", "py", 1)])
def test_what_the_readme_shows_works(project, run, readme, fence, count):
    shown = re.findall(rf"```{fence}\n(.*?)```", readme.read_text(), re.DOTALL)
    assert len(shown) == count
    for number, text in enumerate(shown):
        # What is shown of a conftest.py is one of its own folder.
        folder = project.mkdir(f"shown{number}")
        name = "conftest.py" if "perennial_catalogue" in text else "test_shown.py"
        (folder / name).write_text(text)
        if name == "conftest.py":
            (folder / "test_shown.py").write_text("def test_it(store):\n    store.now()\n")
        tested = run("-m", "pytest", "-q", "-p", "no:cacheprovider", folder, cwd=project.path)
        assert tested.returncode == 0, tested.stdout + tested.stderr
