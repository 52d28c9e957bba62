"""The newest release, for previews and uses."""

from collections.abc import Iterable

from ..publisher.snapshot import Snapshot
from ..releases.connection import connected_reader
from ..releases.reader import Item
from ..releases.release_view import newest_release_view


def newest_release(drafts: Iterable[Item] = ()) -> Snapshot | None:
    """Return the newest release with ``drafts`` over it; ``None`` before the first one.

    Each call reads it again.
    """
    reader = connected_reader()
    release_view = newest_release_view(reader)
    return None if release_view is None else Snapshot(reader, release_view, drafts)
