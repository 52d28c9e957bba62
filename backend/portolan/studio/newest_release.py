"""The newest release in memory, updated by what differs. Previews are laid over it, and uses are found in it."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from ..publisher.snapshot import Snapshot, follow
from ..releases.connection import connected_reader
from ..releases.edition import newest_edition

_lock: Final = threading.Lock()
_kept: list[Snapshot] = []


@contextmanager
def newest_release() -> Iterator[Snapshot | None]:
    """None before the first release. One request at a time, because a snapshot reads bodies when they are first
    needed."""
    with _lock:
        reader = connected_reader()
        edition = newest_edition(reader)
        if edition is None:
            yield None
            return
        snapshot, _ = follow(_kept.pop() if _kept else None, reader, edition)
        _kept.append(snapshot)
        yield snapshot


def forget_release() -> None:
    with _lock:
        _kept.clear()
