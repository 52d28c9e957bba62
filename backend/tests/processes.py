"""Programs that tests run and wait for."""

import subprocess
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

import psutil

_MOMENT_S: Final = 5


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
            for each in [process, *psutil.Process(process.pid).children(recursive=True)]:
                with suppress(psutil.NoSuchProcess):
                    each.kill()
            said = ("it left something that holds its output open", "")
            with suppress(subprocess.TimeoutExpired):
                said = process.communicate(timeout=_MOMENT_S)
            raise AssertionError(f"{command} hangs. It said: {said[0][-3000:]}{said[1][-3000:]}") from None
    return subprocess.CompletedProcess(command, process.returncode, output, errors)
