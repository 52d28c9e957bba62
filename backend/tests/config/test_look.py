"""Replies to health checks about parts that may hang."""

import errno
import threading
from pathlib import Path

import pytest

from portolan.config import folders
from portolan.config.folders import check_folder
from portolan.config.look import BOUND_S, Look

from ..processes import LIMIT_S


def test_what_hangs_delays_nobody_twice() -> None:
    """The first look waits within its bound. Then the last reply is used until the look has hung for too long."""
    hangs, now, answers = threading.Event(), [0.0], iter(["well", "still well"])
    hangs.set()

    def find() -> str:
        hangs.wait(LIMIT_S)
        return next(answers)

    look = Look(find, "does not answer", clock=lambda: now[0])
    assert look.get() == "well"
    hangs.clear()
    now[0] += 1
    assert look.get() == "well", "a look is under way"
    now[0] += BOUND_S
    assert look.get() == "does not answer"
    hangs.set()
    assert look._thread
    look._thread.join()
    assert look.get() == "still well"


def test_a_look_that_fails_finds_the_worst() -> None:
    def fail() -> str:
        raise OSError

    assert Look(fail, "away").get() == "away"


def test_a_folder_that_takes_nothing_is_told_with_the_reason(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(folders, "_LEAST_FREE", 0)
    assert check_folder(tmp_path / "made" / "later") == ""
    assert list(tmp_path.iterdir()) == [], "nothing is left there"
    for number, said in ((errno.ENOSPC, "No space left on device"), (errno.EROFS, "Read-only file system")):

        def refuse(*_: object, number: int = number, said: str = said) -> None:
            raise OSError(number, said)

        monkeypatch.setattr(Path, "write_bytes", refuse)
        assert check_folder(tmp_path) == f"cannot be written to ({said})"
    monkeypatch.undo()
    monkeypatch.setattr(folders, "_LEAST_FREE", 1 << 60)
    assert check_folder(tmp_path).startswith("is nearly full")
