"""Programs that tests run: each ends with its test, and each wait has a limit."""

import os
import re
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

SLOWER: Final = float(os.environ.get("PORTOLAN_SLOWER") or "1")
"""Factor for every time limit of the tests. `make test-slow` sets it."""
LIMIT_S: Final = 120 * SLOWER
"""Limit for one step that another thread or process does. Only a failing test takes that long."""
_MOMENT_S: Final = 5 * SLOWER
_BETWEEN_LOOKS_S: Final = 0.02
PORTOLAN: Final = (sys.executable, "-c", "from portolan.commands.main import main; main()")
"""The command, of this checkout."""


def wait_until(is_so: Callable[[], object], describe: Callable[[], object] = lambda: "") -> None:
    """Wait for a state that another thread or process reaches. ``describe`` explains a failure."""
    deadline = time.monotonic() + LIMIT_S
    while not is_so():
        assert time.monotonic() < deadline, f"not within {LIMIT_S:.0f} s. {describe()}"
        time.sleep(_BETWEEN_LOOKS_S)


@contextmanager
def started(command: Sequence[str | Path], within_s: float = 120, **options: Any) -> Iterator["subprocess.Popen[str]"]:
    """Run a program until the end of the block, and kill it then with every process that it started.

    Kill the program after ``within_s`` times ``SLOWER`` and fail the test, so that a waiting test ends.
    """
    within_s *= SLOWER
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
    """Return the program's exit code and output.

    After ``timeout_s`` times ``SLOWER`` the test fails with the end of the output. The program is killed with every
    process that it started: one that lives on would keep the output open, and the test would never end.
    """
    with subprocess.Popen(
        command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **options
    ) as process:
        try:
            output, errors = process.communicate(timeout=timeout_s * SLOWER)
        except subprocess.TimeoutExpired:
            _end(process)
            said = ("it left something that holds its output open", "")
            with suppress(subprocess.TimeoutExpired):
                said = process.communicate(timeout=_MOMENT_S)
            raise AssertionError(f"{command} hangs. It said: {said[0][-3000:]}{said[1][-3000:]}") from None
    return subprocess.CompletedProcess(command, process.returncode, output, errors)


def waits_for_lock(process: int, file: Path) -> bool:
    """Return whether a process is blocked in ``flock`` on a file. Linux lists these waits in /proc/locks."""
    wanted = re.compile(rf"-> FLOCK .* {process} \S+:{file.stat().st_ino} ")
    return wanted.search(Path("/proc/locks").read_text()) is not None


def _end(process: "subprocess.Popen[str]") -> None:
    """End the process and its children, including orphans in its group."""
    below: list[psutil.Process] = []
    with suppress(psutil.NoSuchProcess):
        below = psutil.Process(process.pid).children(recursive=True)
    for each in [process, *below]:
        with suppress(psutil.NoSuchProcess):
            each.kill()
    with suppress(OSError):
        os.killpg(process.pid, signal.SIGKILL)
