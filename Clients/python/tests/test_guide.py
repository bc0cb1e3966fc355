"""What docs/guides/ci.md shows for GitHub, GitLab and containers is run, with a few stand-ins."""

import os
import re
import signal
import subprocess
import sys

import pytest
import yaml
from conftest import GARDEN, ROOT

from perennial_testing import find_program

GUIDES = ROOT / "docs" / "guides"
URLS = {name: f"https://example.com/{name}" for name in ("PERENNIAL_DEB", "PERENNIAL_WHEEL")}
# What installs something writes down what it was told, and the rest is done.
STAND_INS = {
    "apt-get": 'echo "apt-get $*" >>"$CALLS"',
    "pip": 'echo "pip $*" >>"$CALLS"',
    "curl": 'echo "curl $*" >>"$CALLS"; [ "$2" = -o ] && touch "$3"',
    "sudo": 'exec "$@"',
    "pytest": f'exec "{sys.executable}" -m pytest -p no:cacheprovider "$@"',
}
INSTALLED = [
    f"curl -fsSL -o /tmp/perennial.deb {URLS['PERENNIAL_DEB']}", "apt-get update",
    "apt-get install -y /tmp/perennial.deb",
    f"pip install {URLS['PERENNIAL_WHEEL']} -r requirements.txt"]


def blocks(guide):
    shown = re.findall(r"```yaml\n(.*?)```", (GUIDES / guide).read_text(), re.DOTALL)
    return [yaml.safe_load(text) for text in shown]


[STORY, GITHUB, GITLAB, STORIES] = blocks("ci.md")
[COMPOSE] = blocks("install.md")


@pytest.fixture
def shop(tmp_path):
    """Somebody's project, with everything that the guide's files name."""
    files = {
        "Garden.storekit": GARDEN.read_text(),
        "stories/renewal.yaml": yaml.safe_dump(STORY, sort_keys=False),
        "requirements.txt": "",
        "pytest.ini": "[pytest]\nperennial_catalogue = Garden.storekit\n",
        "test_shop.py": "def test_one(store):\n    store.now()\n",
        "run-your-tests": "#!/bin/sh\nperennial clock show && echo your tests ran\n",
        **{f"bin/{name}": f"#!/bin/sh\n{text}\n" for name, text in STAND_INS.items()},
    }
    for name, text in files.items():
        file = tmp_path / "shop" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
        file.chmod(0o755)
    (tmp_path / "shop/bin/perennial").symlink_to(find_program())
    return tmp_path / "shop"


@pytest.fixture
def play(shop, tmp_path):
    """Runs the commands of a job as CI does, in a machine's temporary folder of its own."""
    groups = []

    def play(commands):
        script = re.sub(r"\$\{\{ vars\.(\w+) }}", lambda found: URLS[found[1]], commands)
        script = script.replace("/tmp/", f"{tmp_path}/")
        variables = {
            "PATH": f"{shop / 'bin'}:{os.environ['PATH']}", "CALLS": str(tmp_path / "calls"),
            "RUNNER_TEMP": str(tmp_path), **URLS}
        kept = {name: value for name, value in os.environ.items() if name != "PERENNIAL"}
        # The store that a job leaves keeps what it writes to.
        with (tmp_path / "output").open("w") as output:
            job = subprocess.Popen(
                ["bash", "-e", "-c", script], cwd=shop, stdin=subprocess.DEVNULL, stdout=output,
                stderr=output, start_new_session=True, env=kept | variables)
            groups.append(job.pid)
            code = job.wait(120)
        said = (tmp_path / "output").read_text()
        assert code == 0, said
        calls = tmp_path / "calls"
        told = calls.read_text().replace(f"{tmp_path}/", "/tmp/") if calls.exists() else ""
        return said, told.splitlines()

    yield play
    for group in groups:
        # CI ends what a job has left.
        try:
            os.killpg(group, signal.SIGTERM)
        except ProcessLookupError:
            pass


def github(job):
    return "\n".join(step["run"] for step in GITHUB["jobs"][job]["steps"] if "run" in step)


def gitlab(job):
    return "\n".join([*GITLAB[job].get("before_script", []), *GITLAB[job]["script"]])


@pytest.mark.parametrize("commands", [github("pytest"), gitlab("pytest")])
def test_the_job_with_pytest_needs_the_wheel_alone(play, commands):
    said, calls = play(commands)
    assert "1 passed" in said
    assert calls == INSTALLED[-1:]


@pytest.mark.parametrize("commands", [github("anything-else"), gitlab("anything-else")])
def test_the_job_with_anything_else_plays_stories_and_runs_tests_beside_a_store(play, commands):
    said, calls = play(commands)
    assert said.rstrip().endswith("your tests ran")
    assert [call for call in calls if call != "apt-get install -y curl"] in (
        INSTALLED[:3], [INSTALLED[1], INSTALLED[0], INSTALLED[2]])


def test_a_job_ends_where_the_store_does_not_start(play, shop):
    (shop / "Garden.storekit").write_text("{}")
    script = github("anything-else").replace("perennial play stories/*.yaml", "")
    with pytest.raises(AssertionError, match="cannot be imported"):
        play(script)


def test_jobs_begin_with_what_ci_knows():
    assert set(GITHUB["jobs"]) == set(GITLAB)
    for job in GITHUB["jobs"].values():
        assert job["steps"][0] == {"uses": "actions/checkout@v4"}
        assert job["runs-on"].startswith("ubuntu-")
        assert all(set(step) <= {"uses", "with", "name", "run"} for step in job["steps"])
    for job in GITLAB.values():
        assert set(job) <= {"image", "before_script", "script"}


def test_the_compose_file_plays_a_story(play):
    [service] = STORIES["services"].values()
    assert (service["image"], service["volumes"]) == ("perennial", [".:/app:ro"])
    play("perennial " + service["command"].replace("/app/", ""))


def test_the_compose_file_with_a_store_serves_it(play, tmp_path):
    store, tests = COMPOSE["services"]["store"], COMPOSE["services"]["tests"]
    assert store["volumes"] == ["./Garden.storekit:/Garden.storekit:ro", "world:/var/lib/perennial"]
    assert tests["volumes"] == ["world:/var/lib/perennial:ro"] and "world" in COMPOSE["volumes"]
    assert tests["depends_on"] == {"store": {"condition": "service_healthy"}}
    # The image names the ready file, and its health check asks this.
    image = (ROOT / "Containerfile").read_text()
    ready = tests["environment"]["PERENNIAL_READY"]
    assert f"ENV PERENNIAL_READY={ready}\n" in image
    assert 'CMD ["perennial", "clock", "show"]' in image
    data = str(tmp_path / "world")
    words = store["command"].replace(" /Garden", " Garden").replace("/var/lib/perennial", data)
    ready = ready.replace("/var/lib/perennial", data)
    said, _ = play(
        f"export PERENNIAL_READY={ready}\nperennial {words} --port 0 --sandbox-port 0 &\n"
        f"until [ -e {ready} ]; do kill -0 $!; sleep 0.1; done\n./run-your-tests")
    assert said.rstrip().endswith("your tests ran")
