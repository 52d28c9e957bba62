"""One publisher at a time for each group of sites, and nobody beside who changes the whole installation. The kernel frees the
locks of a process that dies, however it dies.
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
    from .shared_builds import SharedBuilds  # needs a package that only those have who share builds


_LOCK: Final = "publish.lock"
_OF_GROUPS: Final = "publish.*.lock"
_NEW_GROUP: Final = "new-group.lock"
"""Held by who makes the first lock of a group, so that whoever wants all of them knows all of them."""
_ASK_AGAIN_S: Final = 0.05


def publishes_here(builds: Path) -> bool:
    """Whether a publisher has ever worked in this folder: then it has all kept builds, and that publisher prunes them."""
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
    """Be the one publisher of these groups; of all where none are given, and so of the whole installation. If another
    process is at work, ``on_wait`` is called once and this one waits, ``longest_s`` at most where that is given; without
    ``wait`` that is an error. With ``shared`` it is the one publisher of all machines, and has what is live on them. Raises
    StoreAway where that cannot be found out.
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
        for file in files:  # in one order everywhere, so that no two wait for each other
            held.enter_context(_hold(file, waiting))
        with shared.alone(wait, waiting.say, groups, longest_s) if shared else nullcontext():
            yield


@contextmanager
def prune_lock(builds: Path) -> Iterator[None]:
    """Be the one that prunes, beside those that publish. Raises UsageError where somebody does already."""
    with _hold(builds / "prune.lock", _Waiting(False, lambda: None, None)):
        yield


class _Waiting:
    """For as many locks as it takes."""

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
        """False where it took too long."""
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
                raise UsageError(f"{_say_busy(path)}, so this one did nothing. Wait for it, or run without --no-wait.")
            waiting.say()
            if not waiting.lock(file):
                raise UsageError(f"{_say_busy(path)} and did not come to an end, so nothing was changed. End it.")
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
