"""The lock and the socket folder of one ``portolan serve``.

A second start waits for the lock until the first server has ended. The folder has the sockets of its API and studio.
Its name is unique to this start, so no process can remove the sockets of another.
"""

import fcntl
import os
import shutil
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

import click

from .server import DRAIN_S, console

LONGEST_END_S: Final = 4 * DRAIN_S
"""Longest time to end in seconds: companions, then running requests, then API with studio and delivery."""
_SEEN_ENDING_S: Final = 3.0
"""Seconds in which a process writes that it is ending."""
_LOOK_EVERY_S: Final = 0.05
_ENDING: Final = "ending"


class ServePlace:
    def __init__(self, lock: int | None, folder: Path) -> None:
        self._lock = lock
        self.folder = folder
        """Folder for sockets, removed at the end."""

    def note_ending(self) -> None:
        """Tell a second start to wait."""
        if self._lock is not None:
            _write(self._lock, _ENDING)


@contextmanager
def serve_place(var: Path, port: int) -> Iterator[ServePlace]:
    """Take the place of the server on this port, and wait for the previous server if it is ending.

    Raise ClickException if another server runs there. If ``var`` is read-only, there is no lock, and the folder is in
    the system's temporary folder.
    """
    lock = _take_lock(var / f"serve-{port}.lock", port)
    try:
        if lock is not None:
            for left in var.glob(f"serve-{port}-*"):  # left by a killed process, whose lock is free
                shutil.rmtree(left, ignore_errors=True)
        folder = _make_folder(var if lock is not None else None, port)
        try:
            yield ServePlace(lock, folder)
        finally:
            shutil.rmtree(folder, ignore_errors=True)
    finally:
        if lock is not None:
            os.close(lock)


def _make_folder(var: Path | None, port: int) -> Path:
    name = f"serve-{port}-"
    with suppress(OSError):
        return Path(tempfile.mkdtemp(prefix=name, dir=var))
    return Path(tempfile.mkdtemp(prefix=name))


def _take_lock(file: Path, port: int) -> int | None:
    try:
        lock = os.open(file, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    except OSError:
        return None
    try:
        _wait_for(lock, port)
    except BaseException:
        os.close(lock)
        raise
    _write(lock, "serving")
    return lock


def _wait_for(lock: int, port: int) -> None:
    began, is_said = time.monotonic(), False
    while not _try(lock):
        process, state = _read(lock)
        waited = time.monotonic() - began
        if state == _ENDING and not is_said:
            is_said = True
            said = f"The previous `portolan serve` (process {process}) is ending. This one starts when it has ended."
            console.print(said, soft_wrap=True)
        if waited > (LONGEST_END_S if is_said else _SEEN_ENDING_S):
            why = f"has not ended within {LONGEST_END_S} s" if is_said else "serves there"
            raise click.ClickException(
                f"Port {port} already has a `portolan serve`: process {process} {why}. Nothing was started. End it first "
                f"(`kill {process}`), or use another port: PORTOLAN_PORT={port + 1} portolan serve."
            )
        time.sleep(_LOOK_EVERY_S)


def _try(lock: int) -> bool:
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _read(lock: int) -> tuple[str, str]:
    process, _, state = os.pread(lock, 100, 0).decode(errors="replace").strip().partition(" ")
    return process, state


def _write(lock: int, state: str) -> None:
    with suppress(OSError):  # a full disk: a second start reports less
        os.pwrite(lock, f"{os.getpid()} {state}\n".encode().ljust(40), 0)
