"""Who may change the database's tables and freeze all content anew: one upgrade at a time, and while it works no publisher
freezes and no studio saves. The kernel frees the lock of a process that dies, however it dies.
"""

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from ..observing.work_pulse import waiting


class UpgradeIsAtWork(Exception):
    """Another process upgrades this installation."""

    def __init__(self) -> None:
        super().__init__("An upgrade is at work.")


@contextmanager
def upgrade_lock(file: Path) -> Iterator[None]:
    """Raises UpgradeIsAtWork where another process holds it."""
    file.parent.mkdir(parents=True, exist_ok=True)
    lock = os.open(file, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise UpgradeIsAtWork from None
        yield
    finally:
        os.close(lock)


def is_upgrading(file: Path) -> bool:
    try:
        lock = os.open(file, os.O_RDONLY | os.O_CLOEXEC)
    except FileNotFoundError:  # no upgrade yet
        return False
    try:
        fcntl.flock(lock, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    finally:
        os.close(lock)
    return False


def wait_for_upgrade(file: Path) -> None:
    """Returns when no upgrade is at work."""
    lock = os.open(file, os.O_RDONLY | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        with waiting():
            fcntl.flock(lock, fcntl.LOCK_SH)
    finally:
        os.close(lock)
