"""The program is found, started and ended, and what is wrong is said."""

import os
import signal
import socket
import stat
import subprocess
from pathlib import Path

import pytest
from conftest import GARDEN, processes_of, soon

from perennial_testing import RunningStore, StartError, Store, StoreError, running

ONE_TEST = "def test_one(store):\n    store.now()\n"


def test_a_missing_program_is_said(project, monkeypatch):
    monkeypatch.delenv("PERENNIAL")
    monkeypatch.setenv("PATH", "/nowhere")
    project.makepyfile(ONE_TEST)
    result = project.runpytest_subprocess()
    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines(["There is no program `perennial` on PATH.*export PERENNIAL=*"])
    result.stdout.no_fnmatch_line("*Traceback*")
    result.stdout.no_fnmatch_line("*During handling of the above exception*")


def test_a_program_that_is_named_and_not_there_is_said(monkeypatch, tmp_path):
    monkeypatch.setenv("PERENNIAL", "/nowhere/perennial")
    with pytest.raises(StartError, match="PERENNIAL is /nowhere/perennial, and no program"):
        RunningStore(tmp_path, GARDEN)


def test_the_program_on_the_path_is_found(project, monkeypatch):
    folder = project.mkdir("bin")
    (folder / "perennial").symlink_to(os.environ["PERENNIAL"])
    monkeypatch.delenv("PERENNIAL")
    monkeypatch.setenv("PATH", str(folder), prepend=os.pathsep)
    project.makepyfile(ONE_TEST)
    project.runpytest_subprocess().assert_outcomes(passed=1)


def test_a_missing_catalogue_is_said(project):
    project.makeini("[pytest]")
    project.makepyfile(ONE_TEST)
    result = project.runpytest_subprocess()
    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines(["The store needs one catalogue. Set perennial_catalogue = *"])


def test_a_broken_catalogue_is_said_in_the_store_s_words(project):
    project.makeini("[pytest]\nperennial_catalogue = broken.storekit")
    project.makefile(".storekit", broken="{}")
    project.makepyfile(ONE_TEST + ONE_TEST.replace("one", "two"))
    result = project.runpytest_subprocess()
    result.assert_outcomes(errors=2)
    result.stdout.fnmatch_lines([
        "The store did not start (exit code 1):",
        "*broken.storekit cannot be imported (1 error)*", "It was started as:"])


def test_a_port_that_is_taken_is_said(tmp_path, no_process_left):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        with pytest.raises(StartError, match=f"127.0.0.1:{port} .Address already in use") as told:
            RunningStore(tmp_path, GARDEN, options=["--port", port])
        assert "choose another port with --port, 0 for a free one" in str(told.value)


def test_a_port_that_is_taken_is_said_by_pytest(project):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        project.makeini(f"""
            [pytest]
            perennial_catalogue = {GARDEN}
            perennial_options = --port {port}
            """)
        project.makepyfile(ONE_TEST)
        result = project.runpytest_subprocess()
    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines([f"*127.0.0.1:{port} *Address already in use*"])
    result.stdout.no_fnmatch_line("*Traceback*")


def test_a_program_for_another_machine_is_said(tmp_path, monkeypatch, no_process_left):
    program = tmp_path / "perennial"
    program.write_bytes(b"\x7fELF of another machine")
    program.chmod(0o755)
    monkeypatch.setenv("PERENNIAL", str(program))
    with pytest.raises(StartError, match=f"{program} cannot be run here: Exec format") as told:
        RunningStore(tmp_path, GARDEN)
    assert "Traceback" not in str(told.value)


def test_a_store_that_is_never_ready_is_given_up(tmp_path, monkeypatch, no_process_left):
    program = tmp_path / "perennial"
    program.write_text("#!/bin/sh\necho $$ >pid\necho still thinking\nexec sleep 60\n")
    program.chmod(program.stat().st_mode | stat.S_IXUSR)
    monkeypatch.setenv("PERENNIAL", str(program))
    monkeypatch.setattr(running, "SECONDS_TO_START", 0.5)
    with pytest.raises(StartError, match="was not ready after 0.5 seconds:\nstill thinking"):
        RunningStore(tmp_path, GARDEN)
    assert not runs(int((tmp_path / "pid").read_text()))


def test_a_store_ends_with_its_keeper(tmp_path):
    store = RunningStore(tmp_path, GARDEN)
    [child] = children(store._keeper.pid)
    os.kill(store._keeper.pid, signal.SIGKILL)
    soon(lambda: not runs(child))
    with pytest.raises(StartError, match="The store has ended .signal 9."):
        store.rewind()
    store.stop()


def test_a_store_that_died_is_said_before_the_next_test(project):
    project.makepyfile("""
        import os, signal, subprocess

        def test_one(perennial_store):
            keeper = perennial_store._keeper
            [child] = subprocess.check_output(
                ["ps", "-o", "pid=", "--ppid", str(keeper.pid)], text=True).split()
            os.kill(int(child), signal.SIGKILL)
            keeper.wait()

        def test_two(store):
            pass
        """)
    result = project.runpytest_subprocess()
    result.assert_outcomes(passed=1, errors=1)
    result.stdout.fnmatch_lines(["The store has ended (signal 9):"])


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT])
def test_a_run_that_is_ended_leaves_no_store_behind(project, how):
    told = project.path / "key"
    project.makepyfile(f"""
        import time
        from pathlib import Path

        def test_one(store):
            Path({str(told)!r}).write_text(store.ready["privateKeyFile"] + " " + store.url)
            time.sleep(60)
        """)
    # A shell starts background jobs with SIGINT ignored, and a child inherits that.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    run = project.popen([*project._getpytestargs(), f"--basetemp={project.path / 'files'}"])
    signal.signal(signal.SIGINT, before)
    soon(lambda: told.exists() and told.read_text())
    key, url = told.read_text().split()
    assert Path(key).exists()
    # The run, the keeper and the store; the fixture waits until they are gone.
    assert len(processes_of(project.path)) == 3
    run.send_signal(how)
    run.wait()
    # Its temporary directory goes last, when it stops in order.
    soon(lambda: not Path(key).exists())
    with pytest.raises(StoreError, match="no store answers"):
        Store({"production": {"url": url}, "bundleId": "", "appAppleId": 0,
               "operatorToken": ""}).now()


def test_test_processes_beside_each_other_have_stores_of_their_own(project):
    project.makepyfile("""
        import pytest

        @pytest.mark.parametrize("number", range(8))
        def test_one(store, number, record_property):
            assert store.connect("GET", "/customers")["customers"] == []
            store.customer("ada").buy("com.example.garden.estate.monthly")
            store.advance("P1Y")
        """)
    project.runpytest_subprocess("-n", "2").assert_outcomes(passed=8)


def test_two_runs_at_once_do_not_meet(project):
    project.makepyfile("""
        def test_one(store, notifications):
            assert store.connect("GET", "/customers")["customers"] == []
            store.customer("ada").buy("com.example.garden.estate.monthly")
            store.advance("P1Y")
            assert len(notifications.all) == 13
        """)
    both = [project.popen([*project._getpytestargs(), f"--basetemp={project.path / name}"])
            for name in ("first", "second")]
    for one in both:
        output = one.stdout.read()
        assert one.wait() == 0, output


def test_the_start_and_the_options_are_configured(project):
    project.makeini(f"""
        [pytest]
        perennial_catalogue = {GARDEN}
        perennial_start = 2030-01-01T00:00:00Z
        perennial_options = --bundle-id com.example.mine
        """)
    project.makepyfile("""
        def test_one(store):
            assert (store.now().year, store.bundle_id) == (2030, "com.example.mine")
        """)
    project.runpytest_subprocess().assert_outcomes(passed=1)


def children(parent):
    """The processes that a process has started."""
    listed = subprocess.run(
        ["ps", "-o", "pid=", "--ppid", str(parent)], capture_output=True, text=True)
    return [int(number) for number in listed.stdout.split()]


def runs(process):
    return subprocess.run(["ps", "-p", str(process)], capture_output=True).returncode == 0


@pytest.fixture
def no_process_left():
    """Fails a test that leaves a process which it started."""
    def mine():
        # `ps` itself is gone by the time that it is looked for.
        return {one for one in children(os.getpid()) if runs(one)}

    before = mine()
    yield
    assert mine() <= before
