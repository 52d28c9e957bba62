"""The newest release in memory, moved on by what differs: previews are laid over it, and what uses what is read from it."""

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
    """None before the first release. One request at a time: a snapshot reads bodies as they are asked for."""
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
