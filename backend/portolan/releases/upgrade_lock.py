"""Lock the installation for an upgrade: one at a time, without new releases or saves in the studio meanwhile.

The kernel frees the lock if the process ends for any reason.
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
        super().__init__("An upgrade is running.")


@contextmanager
def upgrade_lock(file: Path) -> Iterator[None]:
    """Hold the lock. Raise UpgradeIsAtWork if another process has it."""
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
    except FileNotFoundError:  # there has been no upgrade yet
        return False
    try:
        fcntl.flock(lock, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    finally:
        os.close(lock)
    return False


def wait_for_upgrade(file: Path) -> None:
    """Wait until no upgrade is running."""
    lock = os.open(file, os.O_RDONLY | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        with waiting():
            fcntl.flock(lock, fcntl.LOCK_SH)
    finally:
        os.close(lock)
