"""The newest release, for previews and uses."""

from collections.abc import Iterable

from ..publisher.snapshot import Snapshot
from ..releases.connection import connected_reader
from ..releases.edition import newest_edition
from ..releases.reader import Item


def newest_release(drafts: Iterable[Item] = ()) -> Snapshot | None:
    """Return the newest release with ``drafts`` over it; ``None`` before the first one.

    Each call reads it again.
    """
    reader = connected_reader()
    edition = newest_edition(reader)
    return None if edition is None else Snapshot(reader, edition, drafts)
