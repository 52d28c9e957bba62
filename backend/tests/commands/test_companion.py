import os
import subprocess
import threading
from typing import Any, Final

import pytest

from portolan.commands.companion import Companion

_LONG_ENOUGH_S: Final = 0.5
"""For a copy that nothing holds up."""


class Starting:
    """Stands in for ``subprocess``: it has a pipe open while it starts a program, as that one has."""

    DEVNULL = subprocess.DEVNULL

    def __init__(self) -> None:
        self.is_open, self.copied = threading.Event(), threading.Event()
        self.file = -1

    def Popen(self, *given: Any, **named: Any) -> "Starting":
        read, self.file = os.pipe()
        self.is_open.set()
        self.copied.wait(_LONG_ENOUGH_S)
        os.close(self.file)
        os.close(read)
        return self

    def poll(self) -> int | None:
        return None

    def send_signal(self, number: int) -> None:
        self.copied.set()

    def wait(self) -> int:
        self.copied.wait()
        return 0

    terminate = kill = wait


def test_no_copy_of_the_process_has_what_starts_a_companion(monkeypatch: pytest.MonkeyPatch) -> None:
    """The start would wait for the end of that copy, a server's worker, and would not see the companion end."""
    starting = Starting()
    monkeypatch.setattr("portolan.commands.companion.subprocess", starting)
    companion = Companion("publisher", ["publisher"], "Nothing is published.")
    companion.start()
    assert starting.is_open.wait(10)
    copy = os.fork()
    if copy == 0:
        os._exit(_is_open(starting.file))
    starting.copied.set()
    _, status = os.waitpid(copy, 0)
    companion.stop()
    assert os.waitstatus_to_exitcode(status) == 0, "the copy has no such pipe"


def _is_open(file: int) -> bool:
    try:
        os.fstat(file)
    except OSError:
        return False
    return True
