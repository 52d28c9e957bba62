"""What others put live since yesterday, by release."""

from collections.abc import Iterator
from datetime import datetime, timedelta
from functools import lru_cache
from typing import Final, NamedTuple

from django.utils import timezone

from ...releases.connection import connected_reader
from ...releases.diff import ItemChange, diff_releases
from ...releases.reader import ReleaseInfo
from ..release_changes import ChangeRow, say_changes
from ..site_names import name_sites
from .own_sites import OwnSites

_MOST: Final = 8
_MOST_READ: Final = 60
"""Releases, however many of them concern other sites."""
_MOST_COMPARED: Final = 60
"""Items of one release: one that changed more is told by their number."""
_MOST_NAMED: Final = 3


class Activity(NamedTuple):
    at: datetime
    by: str
    """Empty where nobody is known to have done it: a date came, or a command was run."""
    what: str
    where: str
    """Names of the sites."""
    release: int


def list_activity(me: str, own: OwnSites) -> list[Activity]:
    """Of others than ``me`` (the name that releases have), the newest first."""
    since = timezone.localtime().replace(hour=0, minute=0, second=0, microsecond=0) - timedelta(days=1)
    found: list[Activity] = []
    for release in connected_reader().releases(_MOST_READ):
        if release.created_at < since or len(found) == _MOST:
            break
        if release.created_by != me and (told := _tell(release, own)):
            found.append(told)
    return found


def _tell(release: ReleaseInfo, own: OwnSites) -> Activity | None:
    count = release.added + release.changed + release.removed
    if count > _MOST_COMPARED:
        return Activity(
            release.created_at, release.created_by, f"{count:,} items", "all sites together", release.number
        )
    changes = [change for change in _find_changes(release) if own.concerns({change.site})]
    rows = [row for row in say_changes(changes) if row.detail != "Card"]
    if not rows:
        return None
    titles = list(dict.fromkeys(_name_rows(rows)))
    more = len(titles) - _MOST_NAMED
    what = ", ".join(titles[:_MOST_NAMED]) + (f" and {more} more" if more > 0 else "")
    where = name_sites({key for row in rows for key in row.keys})
    return Activity(release.created_at, release.created_by, what, where, release.number)


def _name_rows(rows: list[ChangeRow]) -> Iterator[str]:
    for row in rows:
        yield row.title if row.change == "Changed" else f"{row.title} ({row.change.lower()})"


@lru_cache(maxsize=256)
def _find_changes(release: ReleaseInfo) -> tuple[ItemChange, ...]:
    """A release stays as it is; a restored database that gives a number again gives it another time."""
    reader = connected_reader()
    return tuple(diff_releases(reader, release.number - 1, release.number)) if reader.exists(release.number - 1) else ()
