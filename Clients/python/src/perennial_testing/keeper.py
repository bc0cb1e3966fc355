"""Runs a program until the process that started this one is gone: keeper.py PROGRAM ARGUMENT…

The starter holds the other end of standard input and never writes. However it ends, by SIGKILL
too, the system closes that pipe, and the program is asked to stop. Where this process is killed
itself, Linux asks the program to stop.
"""

import ctypes
import os
import signal
import subprocess
import sys
import threading
from types import FrameType

SECONDS_TO_STOP = 10
PR_SET_PDEATHSIG = 1
# As a shell's exit code.
CANNOT_RUN = 126


def stop_with_this_process() -> None:
    """Asks Linux to send SIGTERM to the program when its parent ends."""
    prctl = getattr(ctypes.CDLL(None), "prctl", None)
    if prctl:
        prctl(PR_SET_PDEATHSIG, signal.SIGTERM)


def main(command: list[str]) -> int:
    # No thread runs yet that could hold a lock which the new process needs.
    try:
        program = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, preexec_fn=stop_with_this_process)
    except OSError as error:
        print(f"{command[0]} cannot be run here: {error.strerror}", flush=True)
        return CANNOT_RUN

    def stop_with_the_starter() -> None:
        os.read(0, 1)
        program.terminate()
        try:
            program.wait(SECONDS_TO_STOP)
        except subprocess.TimeoutExpired:
            program.kill()

    def pass_on(number: int, _: FrameType | None) -> None:
        program.send_signal(number)

    signal.signal(signal.SIGTERM, pass_on)
    threading.Thread(target=stop_with_the_starter, daemon=True).start()
    return program.wait()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
