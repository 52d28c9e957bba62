"""List the changes that others have put live since yesterday, by release."""

from datetime import datetime, timedelta
from functools import lru_cache
from typing import Final, NamedTuple

from django.utils import timezone
from django.utils.translation import gettext

from ...delivery_status.status import Pair
from ...releases.connection import connected_reader
from ...releases.reader import ReleaseInfo
from ..numbers import say_number
from ..release_changes import sum_up_changes
from ..site_names import name_sites
from .own_sites import OwnSites

_MOST: Final = 8
_MOST_READ: Final = 60
"""Releases to read, including those of other sites."""
_MOST_COMPARED: Final = 60
"""Items of one release. For a larger release, only their number is shown."""


class Activity(NamedTuple):
    at: datetime
    by: str
    """Empty if no person is known, after a scheduled change or a command."""
    what: str
    where: str
    """Names of the sites."""
    release: int
    is_seen: bool
    """True if the user may see the whole release."""


def list_activity(me: str, own: OwnSites) -> list[Activity]:
    """Return the changes of others, newest first. ``me``: the user's name as in releases."""
    since = timezone.localtime().replace(hour=0, minute=0, second=0, microsecond=0) - timedelta(days=1)
    found: list[Activity] = []
    for release in connected_reader().releases(_MOST_READ):
        if release.created_at < since or len(found) == _MOST:
            break
        if release.created_by != me and (told := _tell(release, own)):
            found.append(told)
    return found


def _tell(release: ReleaseInfo, own: OwnSites) -> Activity | None:
    count = release.items
    if count > _MOST_COMPARED:
        return Activity(
            release.created_at,
            release.created_by,
            gettext("{count} changes").format(count=say_number(count)),
            gettext("all sites"),
            release.number,
            own.is_all,
        )
    pairs = [pair for pair in _find_changes(release) if own.concerns({_site_of(pair)})]
    what = sum_up_changes(pairs)
    where = name_sites(map(_site_of, pairs))
    return Activity(release.created_at, release.created_by, what, where, release.number, True) if what else None


def _site_of(pair: Pair) -> str:
    there = pair[1] or pair[0]
    return there.site if there else ""


@lru_cache(maxsize=256)
def _find_changes(release: ReleaseInfo) -> tuple[Pair, ...]:
    """Return the changed items. Safe to cache: if a restored database reuses a number, the release's time differs."""
    reader = connected_reader()
    return tuple(reader.changes(release.number - 1, release.number)) if reader.exists(release.number - 1) else ()
