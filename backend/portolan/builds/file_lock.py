"""A lock on a file for one process of a machine at a time.

The kernel frees it when the process ends, also if it crashes.
"""

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from ..observing.work_pulse import waiting


@contextmanager
def file_lock(path: Path, wait: bool = True, shared: bool = False) -> Iterator[bool]:
    """Yield True if this process has the lock.

    With ``wait`` it always does. ``shared`` admits other shared holders.
    """
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
