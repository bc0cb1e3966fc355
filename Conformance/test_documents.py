"""The commands that README, guides and examples show, run in order in a fresh directory."""

import ast
import os
import re
import subprocess
import sys

import pytest
from perennial import BINARY, CATALOGUE, ROOT

# install.md needs root, a package and a container engine: scripts/check-package does what it shows.
GUIDES = [path for path in sorted((ROOT / "docs" / "guides").glob("*.md"))
          if path.name != "install.md"]
DOCUMENTS = [ROOT / "README.md", *GUIDES]
# legacy_server.py is a server, which does not end: test_verify_receipt.py drives it.
EXAMPLES = [
    *(ROOT / "Examples" / "python" / f"{name}.py" for name in ("a_year", "a_bundle", "seasons")),
    ROOT / "Examples" / "GardenApp" / "GardenApp.swift",
]

# `serve` goes on in the background, on free ports, and the script with it once it answers.
FUNCTIONS = """
set -euo pipefail
serve() { begin serve "$@"; }
dev() { begin dev "$@" --merchant-port 0; }
begin() {
    local file=perennial-data/ready.json ports="--port 0 --sandbox-port 0" words=" $* "
    [[ $words == *" --port "* ]] && ports=
    [[ $words == *" --ready-file "* ]] && file=$(sed -E 's/.* --ready-file ([^ ]+).*/\\1/' <<<"$words")
    .build/debug/perennial "$@" $ports >"serve-$RANDOM.log" 2>&1 &
    local process=$!
    until [ -e "$file" ]; do kill -0 $process; sleep 0.1; done
}
bill() {
    .build/debug/perennial bills --state pending --json |
        "$PYTHON" -c 'import json, sys; print(json.load(sys.stdin)["bills"][0]["id"])'
}
trap 'kill $(jobs -p) || true' EXIT
"""


def commands(document):
    """What a document, or an example's header, shows as commands."""
    text = document.read_text()
    if document.suffix == ".py":
        header = ast.get_docstring(ast.parse(text))
        return "".join(re.findall(r"^    (.*\n)", header, re.MULTILINE))
    if document.suffix == ".swift":
        text = re.sub(r"^/// ?", "", text, flags=re.MULTILINE)
    return "".join(re.findall(r"```sh\n(.*?)```", text, re.DOTALL))


def script(document):
    """The document's commands. What builds or tests the project is left out: others run it."""
    lines = commands(document).replace("\\\n", " ").splitlines()
    if document.name == "README.md":
        assert lines[0] == "make run"
    shown = [FUNCTIONS]
    if lines and lines[0] != "make run" and " serve " not in lines[0]:
        shown.append("serve Examples/Garden.storekit")
    for line in lines:
        if line == "make run":
            line = "dev Examples/Garden.storekit --example"
        elif line.startswith(("make ", "pip ")):
            continue
        line = re.sub(r"^\.build/debug/perennial serve ", "serve ", line)
        line = re.sub(r"^python ", '"$PYTHON" ', line)
        line = re.sub(r"\bBILL\b", "$(bill)", line)
        shown.append(f"echo '+' {line!r} >&2\n{line}")
    return "\n".join(shown)


@pytest.mark.parametrize("document", DOCUMENTS + EXAMPLES, ids=lambda one: one.name)
def test_every_command_that_is_shown_works(document, tmp_path):
    for name in (".build", "Examples"):
        (tmp_path / name).symlink_to(ROOT / name)
    environment = {
        key: value for key, value in os.environ.items() if not key.startswith("PERENNIAL_")}
    run = subprocess.run(
        ["bash", "-c", script(document)], cwd=tmp_path, stdin=subprocess.DEVNULL,
        capture_output=True, text=True, timeout=600,
        env=environment | {"PYTHON": sys.executable})
    assert run.returncode == 0, run.stderr[-2000:]


def test_the_pytest_files_of_the_guide_pass(tmp_path):
    guide = (ROOT / "docs" / "guides" / "ci.md").read_text()
    with_plugin, without = re.findall(r"```python\n(.*?)```", guide, re.DOTALL)
    for name, text, plugin in [
            ("with_plugin", with_plugin, ["-p", "perennial_testing.plugin", "-o",
                                          f"perennial_catalogue={CATALOGUE}"]),
            ("without", without, [])]:
        shown_passes(tmp_path / f"test_{name}.py", text, plugin)


def shown_passes(file, text, plugin):
    file.write_text(text)
    environment = {
        "PERENNIAL": str(BINARY), "PYTHONPATH": str(ROOT / "Clients" / "python" / "src"),
        "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    run = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *plugin,
         "--rootdir", file.parent, file], cwd=ROOT, capture_output=True, text=True, timeout=600,
        env=os.environ | environment)
    assert run.returncode == 0, run.stdout[-2000:]
