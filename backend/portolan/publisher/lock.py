"""One publisher at a time. The kernel frees the lock of a process that dies, however it dies."""

import fcntl
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Final

from .problem import UsageError

if TYPE_CHECKING:
    from .shared_builds import SharedBuilds  # needs a package that only those have who share builds


_LOCK: Final = "publish.lock"


def publishes_here(builds: Path) -> bool:
    """Whether a publisher has ever worked in this folder: then it has all kept builds, and that publisher prunes them."""
    return (builds / _LOCK).exists()


@contextmanager
def publish_lock(
    builds: Path,
    wait: bool = True,
    on_wait: Callable[[], None] = lambda: None,
    shared: "SharedBuilds | None" = None,
) -> Iterator[None]:
    """Hold the lock of a builds folder. If another process has it, ``on_wait`` is called once and this one waits;
    without ``wait`` that is an error. With ``shared`` it is the one publisher of all machines, and has what is live on
    them. Raises StoreAway where that cannot be found out."""
    builds.mkdir(parents=True, exist_ok=True)
    file = os.open(builds / _LOCK, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
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
        with shared.alone(wait, on_wait) if shared else nullcontext():
            yield
    finally:
        os.close(file)
