"""Run a command and wait for every process that it starts: `counted.py COMMAND …`.

The system reports the processor time of a process to its parent. A killed server leaves its workers to the first
process of the machine, and their time is lost. On Linux this process adopts them and adds their time. Processes still
running at the end of the command are ended, and named.
"""

import ctypes
import os
import signal
import sys
from contextlib import suppress
from typing import Final

import psutil

_PR_SET_CHILD_SUBREAPER: Final = 36


def main(command: list[str]) -> int:
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))
    try:
        first = os.posix_spawnp(command[0], command, os.environ)
        while True:
            ended, status = os.wait()
            if ended == first:
                return os.waitstatus_to_exitcode(status) % 256
    finally:
        _end_what_is_left()


def _end_what_is_left() -> None:
    """A dying process leaves its children to this one, so repeat until none is left."""
    while running := psutil.Process().children(recursive=True):
        for process in running:
            with suppress(psutil.Error):
                if process.status() != psutil.STATUS_ZOMBIE:
                    print(f"still running, ended now: {' '.join(process.cmdline())[:200]}", flush=True)
                process.kill()
        with suppress(ChildProcessError):
            while True:
                os.wait()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
