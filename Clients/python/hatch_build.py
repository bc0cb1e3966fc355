"""Makes a wheel that has the program inside, where PERENNIAL_INSTALLED names its folder.

The folder has `bin/perennial` and `share`, as in the tarball that `scripts/package` makes. Without
the variable the wheel has Python alone, for every machine.
"""

from __future__ import annotations

import os
import platform
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class ProgramHook(BuildHookInterface):  # type: ignore[type-arg]
    """The program goes to where `running.find_program` looks for it."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        folder = os.environ.get("PERENNIAL_INSTALLED")
        if not folder or version == "editable":
            return
        if not Path(folder, "bin", "perennial").is_file():
            raise FileNotFoundError(f"PERENNIAL_INSTALLED is {folder}, which has no bin/perennial")
        build_data["force_include"][folder] = "perennial_testing/installed"
        build_data["shared_scripts"][str(Path(self.root, "command.py"))] = "perennial"
        build_data["pure_python"] = False
        build_data["tag"] = f"py3-none-linux_{platform.machine()}"
