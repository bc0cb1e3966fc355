"""A store that runs: the program is found, started, and stopped again whatever happens."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path
from typing import Any, Sequence

from . import keeper
from .catalogue import Catalogue
from .connection import call

START = "2026-01-31T10:00:00Z"
"""What a new store's clock shows first, so that tests find the same dates every day."""
SECONDS_TO_START = 60
_SNAPSHOT = "start"
_PACKED = Path(__file__).with_name("installed") / "bin" / "perennial"


class StartError(Exception):
    """The store could not be started; the message says why and what to do."""


def find_program() -> str:
    """The path of `perennial`: PERENNIAL names it, or this package has it, or it is on PATH."""
    named = os.environ.get("PERENNIAL")
    if not named and _PACKED.exists():
        return str(_PACKED)
    found = shutil.which(named or "perennial")
    if found:
        return found
    if named:
        raise StartError(f"PERENNIAL is {named}, and no program is there. Build Perennial with "
                         "`make build`, or name the program that you have.")
    raise StartError("There is no program `perennial` on PATH. Build Perennial with `make build`, "
                     "then add its folder to PATH or name the program: "
                     "export PERENNIAL=/path/to/perennial/.build/debug/perennial")


class RunningStore:
    """`perennial serve` with a frozen clock, on free ports, and a snapshot of its first moment.

    It ends with `stop`, or when this process does, however it ends. `folder` keeps its log and
    its ready file. `catalogue` is a `.storekit` file or a `Catalogue`; `options` are further ones
    of `perennial serve`.
    """

    def __init__(
        self, folder: Path, catalogue: Catalogue | Path | str, *, start: str = START,
        options: Sequence[str] = (),
    ) -> None:
        program = find_program()
        if isinstance(catalogue, Catalogue):
            catalogue = catalogue.write(folder / "catalogue.storekit")
        ready_file = folder / "ready.json"
        self._log = folder / "log"
        command = [
            program, "serve", str(Path(catalogue).absolute()), "--ephemeral", "--clock", "frozen",
            "--at", start, "--port", "0", "--sandbox-port", "0", "--ready-file", str(ready_file),
            # Tests see notifications in the order of what happened.
            "--deliveries-at-once", "1", *options,
        ]
        with self._log.open("wb") as log:
            self._keeper = subprocess.Popen(
                [sys.executable, "-IS", keeper.__file__, *command], stdin=subprocess.PIPE,
                stdout=log, stderr=subprocess.STDOUT, cwd=folder,
                # Control-C reaches pytest alone, which ends its fixtures, and the store with them.
                start_new_session=True)
        try:
            self.ready: dict[str, Any] = self._wait_for(ready_file, command)
            self._connect("/snapshots", {"name": _SNAPSHOT})
        except BaseException:
            self.stop()
            raise

    def rewind(self) -> None:
        """Puts the whole world back to its first moment."""
        if self._keeper.poll() is not None:
            raise StartError(
                f"The store has ended ({_ending(self._keeper.returncode)}):\n{self.log()}")
        self._connect(f"/snapshots/{_SNAPSHOT}/rewind")

    def stop(self) -> None:
        """Stops the store in order; again does nothing."""
        assert self._keeper.stdin
        self._keeper.stdin.close()
        self._keeper.wait()

    def log(self) -> str:
        """What the store has printed and logged so far."""
        return self._log.read_text(errors="replace")

    def _connect(self, path: str, body: Any = None) -> Any:
        return call(self.ready["production"]["url"], "POST", "/connect/v1" + path,
                    self.ready["operatorToken"], body)

    def _wait_for(self, ready_file: Path, command: list[str]) -> Any:
        give_up_at = time.monotonic() + SECONDS_TO_START
        while not ready_file.exists():
            if self._keeper.poll() is not None:
                problem = f"did not start ({_ending(self._keeper.returncode)})"
            elif time.monotonic() > give_up_at:
                problem = f"was not ready after {SECONDS_TO_START} seconds"
            else:
                time.sleep(0.01)
                continue
            raise StartError(f"The store {problem}:\n{self.log()}\nIt was started as:\n"
                             f"{' '.join(command)}")
        return json.loads(ready_file.read_text())


def _ending(code: int) -> str:
    # The keeper was killed itself.
    if code < 0:
        return f"signal {-code}"
    # The keeper exits with the number of the signal that ended the store, below zero.
    return f"exit code {code}" if code < 128 else f"signal {256 - code}"
