"""One publisher at a time. The kernel frees the lock of a process that dies, however it dies."""

import fcntl
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from .problem import UsageError


@contextmanager
def publish_lock(builds: Path, wait: bool = True, on_wait: Callable[[], None] = lambda: None) -> Iterator[None]:
    """Hold the lock of a builds folder. If another process has it, ``on_wait`` is called once and this one waits;
    without ``wait`` that is an error."""
    builds.mkdir(parents=True, exist_ok=True)
    file = os.open(builds / "publish.lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
    try:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if not wait:
                raise UsageError(
                    f"Another publisher is at work in {builds}, so this one did nothing. Wait for it, or run without --no-wait."
                ) from None
            on_wait()
            fcntl.flock(file, fcntl.LOCK_EX)
        yield
    finally:
        os.close(file)
