"""Programs that tests run: none of them outlives its test, and no test waits for one without an end."""

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, Final

import psutil

_MOMENT_S: Final = 5
_BETWEEN_LOOKS_S: Final = 0.02
PORTOLAN: Final = (sys.executable, "-c", "from portolan.commands.main import main; main()")
"""The command, of this checkout."""


def wait_until(is_so: Callable[[], object], within_s: float = 60) -> None:
    """For what another process does by itself while the test looks on."""
    deadline = time.monotonic() + within_s
    while not is_so():
        assert time.monotonic() < deadline, f"not within {within_s:.0f} s"
        time.sleep(_BETWEEN_LOOKS_S)


@contextmanager
def started(command: Sequence[str | Path], within_s: float = 120, **options: Any) -> Iterator["subprocess.Popen[str]"]:
    """A program that runs beside the test until the end of the block, when it is killed with all that it started.

    So it is after ``within_s`` too, and that is a failure: who reads what it says, or waits for it, comes to an end of it.
    """
    hung = threading.Event()
    options = {"stdin": subprocess.DEVNULL, "text": True, **options}
    with subprocess.Popen(command, start_new_session=True, **options) as process:

        def give_up() -> None:
            hung.set()
            _end(process)

        limit = threading.Timer(within_s, give_up)
        limit.daemon = True
        limit.start()
        try:
            yield process
        finally:
            limit.cancel()
            _end(process)
            if hung.is_set():
                raise AssertionError(
                    f"{command} was ended after {within_s:.0f} s: it hangs, or the test waits for what it never says"
                )


def run_program(
    command: Sequence[str | Path], timeout_s: float = 120, **options: Any
) -> "subprocess.CompletedProcess[str]":
    """What it says is captured. One that takes longer is a failure that shows the end of what it said, and is ended with all that
    it started: what lives on would hold its output open, and the test would wait for that for ever.
    """
    with subprocess.Popen(
        command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **options
    ) as process:
        try:
            output, errors = process.communicate(timeout=timeout_s)
        except subprocess.TimeoutExpired:
            _end(process)
            said = ("it left something that holds its output open", "")
            with suppress(subprocess.TimeoutExpired):
                said = process.communicate(timeout=_MOMENT_S)
            raise AssertionError(f"{command} hangs. It said: {said[0][-3000:]}{said[1][-3000:]}") from None
    return subprocess.CompletedProcess(command, process.returncode, output, errors)


def _end(process: "subprocess.Popen[str]") -> None:
    """With all that it started; of those that have outlived who started them, the ones of its group."""
    below: list[psutil.Process] = []
    with suppress(psutil.NoSuchProcess):
        below = psutil.Process(process.pid).children(recursive=True)
    for each in [process, *below]:
        with suppress(psutil.NoSuchProcess):
            each.kill()
    with suppress(OSError):
        os.killpg(process.pid, signal.SIGKILL)
