"""What the guides for Node, Java and Go show, where their tools and Apple's libraries are here."""

import os
import re
import shutil
import subprocess

import pytest
from perennial import BINARY, CATALOGUE, ROOT

# Both languages: start the store of the guide, buy, let a month go by, and print the answers.
NODE = """
import { startStore } from "./store.mjs";
const { ready, perennial, stop } = await startStore("Garden.storekit", "--at", "2026-01-31");
console.log(ready.bundleId, (await fetch(ready.production.url + "/openapi.json")).status);
console.log(perennial("buy", "com.example.garden.estate.monthly", "--account", "anna").result);
console.log(perennial("advance", "P1M").now);
stop();
"""
JAVA = """
public final class Try {
    public static void main(String[] arguments) throws Exception {
        try (Store store = new Store("Garden.storekit", "--at", "2026-01-31")) {
            System.out.println(java.nio.file.Files.readString(store.ready).contains("com.example.app"));
            System.out.println(store.perennial(
                "buy", "com.example.garden.estate.monthly", "--account", "anna").contains("success"));
            System.out.println(store.perennial("advance", "P1M").contains("2026-02-28T00:00:00Z"));
        }
    }
}
"""


def blocks(guide, language):
    text = (ROOT / "docs" / "guides" / guide).read_text()
    return re.findall(rf"```{language}\n(.*?)```", text, re.DOTALL)


def tool(name, why):
    if not shutil.which(name):
        pytest.skip(f"there is no `{name}` on this machine: {why} is not run")


@pytest.fixture
def project(tmp_path):
    (tmp_path / "Garden.storekit").symlink_to(CATALOGUE)
    return tmp_path


def run(folder, *words, **variables):
    """Runs a program in a project whose temporary files lie in it."""
    environment = {
        key: value for key, value in os.environ.items() if not key.startswith("PERENNIAL_")}
    return subprocess.run(
        [str(word) for word in words], cwd=folder, stdin=subprocess.DEVNULL, capture_output=True,
        text=True, timeout=300,
        env=environment | {"PERENNIAL": str(BINARY), "TMPDIR": str(folder)} | variables)


def test_node_starts_a_store(project):
    tool("node", "docs/guides/node.md")
    store, _ = blocks("node.md", "js")
    (project / "store.mjs").write_text(store)
    (project / "try.mjs").write_text(NODE)
    shown = run(project, "node", "try.mjs")
    assert shown.returncode == 0, shown.stderr
    assert shown.stdout.splitlines() == [
        "com.example.app 200", "success", "2026-02-28T00:00:00Z"]


def test_a_store_that_does_not_start_ends_node_with_its_words(project):
    tool("node", "docs/guides/node.md")
    store, _ = blocks("node.md", "js")
    (project / "store.mjs").write_text(store)
    (project / "try.mjs").write_text(NODE.replace("Garden.storekit", "None.storekit"))
    shown = run(project, "node", "try.mjs")
    assert shown.returncode != 0
    assert "None.storekit cannot be imported" in shown.stderr
    assert "The store did not start." in shown.stderr


def test_apple_s_library_for_node_works_against_it(project):
    tool("node", "docs/guides/node.md")
    modules = os.environ.get("PERENNIAL_TEST_NODE_MODULES")
    if not modules:
        pytest.skip("PERENNIAL_TEST_NODE_MODULES names no node_modules with Apple's library")
    (project / "node_modules").symlink_to(modules)
    store, shown_test = blocks("node.md", "js")
    (project / "store.mjs").write_text(store)
    (project / "renewal.test.mjs").write_text(shown_test)
    shown = run(project, "node", "--test", "renewal.test.mjs")
    assert shown.returncode == 0, shown.stdout + shown.stderr


def test_java_starts_a_store(project):
    tool("javac", "docs/guides/java.md")
    store, _ = blocks("java.md", "java")
    (project / "Store.java").write_text(store)
    (project / "Try.java").write_text(JAVA)
    compiled = run(project, "javac", "-Xlint:all", "-Werror", "-d", ".", "Store.java", "Try.java")
    assert compiled.returncode == 0, compiled.stderr
    shown = run(
        project, "java", f"-Djava.io.tmpdir={project}", "-cp", ".", "Try")
    assert shown.returncode == 0, shown.stderr
    assert shown.stdout.splitlines() == ["true", "true", "true"]


def test_apple_s_library_for_java_works_against_it(project):
    tool("javac", "docs/guides/java.md")
    path = os.environ.get("PERENNIAL_TEST_JAVA_CLASSPATH")
    if not path:
        pytest.skip("PERENNIAL_TEST_JAVA_CLASSPATH names no jars with Apple's library")
    store, shown_program = blocks("java.md", "java")
    (project / "Store.java").write_text(store)
    (project / "Renewal.java").write_text(shown_program)
    compiled = run(project, "javac", "-cp", path, "-d", ".", "Store.java", "Renewal.java")
    assert compiled.returncode == 0, compiled.stderr
    shown = run(project, "java", "-cp", f".{os.pathsep}{path}", "Renewal")
    assert shown.stdout.splitlines() == ["PURCHASE", "RENEWAL"], shown.stdout + shown.stderr


def test_go_calls_a_store(project):
    tool("go", "docs/guides/go.md")
    store, shown_test = blocks("go.md", "go")
    (project / "go.mod").write_text("module garden\n\ngo 1.21\n")
    (project / "store.go").write_text(store)
    (project / "renewal_test.go").write_text(shown_test)
    programs = project / "bin"
    programs.mkdir()
    (programs / "perennial").symlink_to(BINARY)
    shown = run(
        project, "go", "test", "./...", GOCACHE=str(project / "cache"), GOFLAGS="-mod=mod",
        PATH=f"{programs}{os.pathsep}{os.environ['PATH']}")
    assert shown.returncode == 0, shown.stdout + shown.stderr
