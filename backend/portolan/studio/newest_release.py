"""The newest release, as previews are laid over it and uses are found in it."""

from collections.abc import Iterable

from ..publisher.snapshot import Snapshot
from ..releases.connection import connected_reader
from ..releases.reader import Item
from ..releases.release_view import newest_release_view


def newest_release(drafts: Iterable[Item] = ()) -> Snapshot | None:
    """None before the first release. ``drafts``: items laid over it. Nothing is kept in memory from one request to the
    next.
    """
    reader = connected_reader()
    release_view = newest_release_view(reader)
    return None if release_view is None else Snapshot(reader, release_view, drafts)
