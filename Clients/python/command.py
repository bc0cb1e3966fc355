#!python
"""The command `perennial` of a wheel that has the program inside."""
import importlib.util
import os
import sys
from pathlib import Path

# The package is found and not imported, which would take longer than the program.
package = importlib.util.find_spec("perennial_testing")
assert package and package.origin
program = Path(package.origin).with_name("installed") / "bin" / "perennial"
os.execv(program, [str(program), *sys.argv[1:]])
