"""One process of a machine at a time: a lock on a file, which the kernel frees when the process dies, however it dies."""

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from ..observing.work_pulse import waiting


@contextmanager
def file_lock(path: Path, wait: bool = True, shared: bool = False) -> Iterator[bool]:
    """Whether this one has it; always, where it may ``wait``. ``shared``: beside others that ask for it so."""
    lock = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
    try:
        try:
            with waiting():
                fcntl.flock(lock, (fcntl.LOCK_SH if shared else fcntl.LOCK_EX) | (0 if wait else fcntl.LOCK_NB))
        except BlockingIOError:
            yield False
            return
        yield True
    finally:
        os.close(lock)
