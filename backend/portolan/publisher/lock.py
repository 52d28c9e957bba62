"""Locks: one publisher at a time for each group of sites.

Changes of the whole installation lock all groups. The kernel frees the locks of a process that dies, also if it
crashes.
"""

import fcntl
import os
import time
from collections.abc import Callable, Collection, Iterator
from contextlib import ExitStack, contextmanager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Final

from ..observing.work_pulse import waiting
from ..sites.groups import MAIN_GROUP
from .problem import UsageError

if TYPE_CHECKING:
    from .shared_builds import SharedBuilds  # its package is only installed with a shared store


_LOCK: Final = "publish.lock"
_OF_GROUPS: Final = "publish.*.lock"
_NEW_GROUP: Final = "new-group.lock"
"""Held while creating the first lock of a group, so that a process that needs all locks finds all."""
_ASK_AGAIN_S: Final = 0.05


def publishes_here(builds: Path) -> bool:
    """Return True if a publisher has worked in this folder.

    It then prunes the folder's builds.
    """
    return (builds / _LOCK).exists() or any(builds.glob(_OF_GROUPS))


@contextmanager
def publish_lock(
    builds: Path,
    wait: bool = True,
    on_wait: Callable[[], None] = lambda: None,
    shared: "SharedBuilds | None" = None,
    groups: Collection[str] | None = None,
    longest_s: float | None = None,
) -> Iterator[None]:
    """Be the only publisher of these groups, or of the whole installation if None.

    If another process is at work, ``on_wait`` is called once and this one waits, at most ``longest_s``. Without
    ``wait``, raise UsageError instead.

    With ``shared``, be the only publisher of all machines, and fetch their live builds first. Raise StoreAway if the
    store is unreachable.
    """
    builds.mkdir(parents=True, exist_ok=True)
    waiting = _Waiting(wait, on_wait, longest_s)
    with ExitStack() as held:
        if groups is None:
            held.enter_context(_hold(builds / _NEW_GROUP, waiting))
            files = [builds / _LOCK, *sorted(builds.glob(_OF_GROUPS))]
        else:
            files = [_lock_of(builds, group) for group in sorted(groups)]
            if any(not file.exists() for file in files):
                with _hold(builds / _NEW_GROUP, waiting):
                    for file in files:
                        file.touch()
        for file in files:  # in the same order everywhere, to avoid deadlocks
            held.enter_context(_hold(file, waiting))
        with shared.alone(wait, waiting.say, groups, longest_s) if shared else nullcontext():
            yield


@contextmanager
def prune_lock(builds: Path) -> Iterator[None]:
    """Be the only process that prunes, next to publishers.

    Raise UsageError if another process prunes.
    """
    with _hold(builds / "prune.lock", _Waiting(False, lambda: None, None)):
        yield


class _Waiting:
    """Waits for several locks."""

    def __init__(self, wait: bool, on_wait: Callable[[], None], longest_s: float | None) -> None:
        self.waits = wait
        self._on_wait = on_wait
        self._ends_at = None if longest_s is None else time.monotonic() + longest_s
        self._is_said = False

    def say(self) -> None:
        if not self._is_said:
            self._is_said = True
            self._on_wait()

    def lock(self, file: int) -> bool:
        """Wait for the lock. Return False after a timeout."""
        if self._ends_at is None:
            with waiting():
                fcntl.flock(file, fcntl.LOCK_EX)
            return True
        while time.monotonic() < self._ends_at:
            time.sleep(_ASK_AGAIN_S)
            if _try(file):
                return True
        return False


@contextmanager
def _hold(path: Path, waiting: _Waiting) -> Iterator[None]:
    file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
    try:
        if not _try(file):
            if not waiting.waits:
                raise UsageError(f"{_say_busy(path)}. Nothing was done. Wait for it to end, or run without --no-wait.")
            waiting.say()
            if not waiting.lock(file):
                raise UsageError(
                    f"{_say_busy(path)} and did not end in time. Nothing was changed. Stop that publisher."
                )
        yield
    finally:
        os.close(file)


def _try(file: int) -> bool:
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _lock_of(builds: Path, group: str) -> Path:
    return builds / (_OF_GROUPS.replace("*", group) if group != MAIN_GROUP else _LOCK)


def _say_busy(path: Path) -> str:
    _, *group, _ = path.name.split(".")
    whose = f" of group {group[0]}" if group else ""
    return f"Another publisher{whose} is at work in {path.parent}"
