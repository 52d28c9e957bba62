"""Write files so that readers see the old or the new file, never a part of it.

This also holds after a power cut.
"""

import ctypes
import errno
import os
import time
from collections.abc import Callable
from itertools import count
from pathlib import Path
from typing import Final

from ..observing.work_pulse import waiting

PART_SUFFIX: Final = "~"
"""Suffix of a file that is still being written. If the writer is killed, `prune` removes the file."""

_numbers = count()


def explain_full_disk(error: BaseException) -> str | None:
    """Return a sentence with the remedy if the error is a full disk, else None."""
    if not isinstance(error, OSError) or error.errno not in (errno.ENOSPC, errno.EDQUOT):
        return None
    where = f" ({error.filename})" if error.filename else ""
    return (
        f"The disk is full{where}. Published pages stay live, and no incomplete file is served. Free some disk space."
    )


def write_whole(path: str, data: bytes, mode: int, durable: bool = False) -> None:
    """Write ``data`` to a temporary file and move it to ``path``.

    ``durable`` waits for the disk before the move.

    The folder must exist. To make the move itself durable, call ``sync_folder``.
    """
    part = f"{path}.{os.getpid()}-{next(_numbers)}{PART_SUFFIX}"
    try:
        file = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, mode)
        try:
            written = os.write(file, data)
            while written < len(data):
                written += os.write(file, data[written:])
            if durable:
                os.fsync(file)
        finally:
            os.close(file)
        os.rename(part, path)  # noqa: PTH104  (paths stay strings: pathlib costs as much as the write)
    except BaseException:
        Path(part).unlink(missing_ok=True)
        raise


def is_unused(path: str | Path, seconds: float) -> bool:
    """Return True if the file exists and was last touched over ``seconds`` ago."""
    try:
        return time.time() - os.stat(path).st_mtime > seconds  # noqa: PTH116
    except FileNotFoundError:
        return False


def make_folder(folder: Path) -> None:
    """Create ``folder`` and its missing parents, each entry durable in its parent."""
    if folder.is_dir():
        return
    make_folder(folder.parent)
    folder.mkdir(exist_ok=True)
    sync_folder(folder.parent)


def sync_file(path: str | Path) -> None:
    """Wait until the file's bytes are on the disk.

    Raise FileNotFoundError, or OSError if the disk fails.
    """
    file = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    try:
        os.fsync(file)
    finally:
        os.close(file)


def sync_folder(folder: str | Path) -> None:
    """Wait until the folder's entries (created, moved, removed) are on the disk."""
    sync_file(folder)


def sync_filesystem(folder: str | Path) -> None:
    """Wait until all earlier writes to the file system of ``folder`` are on the disk.

    One call costs as much as a few dozen fsyncs. Linux reports failed writes through it; elsewhere `os.sync` does not.
    """
    if _syncfs is None:
        with waiting():
            os.sync()
        return
    file = os.open(folder, os.O_RDONLY | os.O_CLOEXEC)
    try:
        with waiting():
            failed = _syncfs(file) != 0
        if failed:
            number = ctypes.get_errno()
            raise OSError(number, os.strerror(number), str(folder))
    finally:
        os.close(file)


def _find_syncfs() -> Callable[[int], int] | None:
    """The standard library lacks syncfs(2)."""
    function = getattr(ctypes.CDLL(None, use_errno=True), "syncfs", None)
    return None if function is None else lambda file: int(function(file))


_syncfs = _find_syncfs()


def name_error(error: Exception) -> str:
    """Return the error on one line, with the file's name if it has one."""
    name = getattr(error, "filename", None)
    if isinstance(error, OSError) and isinstance(name, str | bytes):
        return f"{error!r}: {os.fsdecode(name)!r}"
    return repr(error)
