"""The newest release, as previews are laid over it and uses are found in it."""

from collections.abc import Iterable

from ..publisher.snapshot import Snapshot
from ..releases.connection import connected_reader
from ..releases.edition import newest_edition
from ..releases.reader import Item


def newest_release(drafts: Iterable[Item] = ()) -> Snapshot | None:
    """None before the first release. ``drafts``: items laid over it. Nothing is kept in memory from one request to the
    next.
    """
    reader = connected_reader()
    edition = newest_edition(reader)
    return None if edition is None else Snapshot(reader, edition, drafts)
