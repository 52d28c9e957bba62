"""Find the last content of sites without a usable build."""

from collections.abc import Iterator, Mapping
from pathlib import Path

from ..builds.live import LivePointer, read_was_live
from ..releases.last_live import LastLive, read_last_live
from ..releases.reader import Blocked, ItemId, ReleaseReader
from ..releases.release_view import ReleaseView, release_view_of
from .attempt import known_release_views
from .site_build import LiveBuild


def find_last_shown(
    root: Path, reader: ReleaseReader, pointer: LivePointer, live: Mapping[str, LiveBuild]
) -> dict[str, LastLive]:
    """Return the last content of each site, if known, by the most reliable source.

    A readable build comes first, then the database's record, then the live and restored pointers, which may belong to
    another database.
    """
    shown = shown_by(read_was_live(root)) | shown_by(pointer)
    found = {site: each for site, each in shown.items() if reader.exists(each.release)}
    found |= read_last_live(reader)
    for site, release_view in known_release_views(live, reader).items():
        found[site] = _last_live(pointer, site, release_view.release, release_view.blocked)
    return found


def shown_by(pointer: LivePointer) -> dict[str, LastLive]:
    """Return the content of each site according to the live pointer."""
    return {
        site: _last_live(pointer, site, release, pointer.blocked.get(site, {}))
        for site, release in pointer.releases.items()
    }


def _last_live(pointer: LivePointer, site: str, release: int, blocked: Blocked) -> LastLive:
    pin = pointer.pins.get(site)
    if pin is None:
        return LastLive(release, blocked)
    return LastLive(release, blocked, pin.since, pin.by, pointer.installation.is_pinned)


def group_by_release(shown: Mapping[str, LastLive]) -> Iterator[dict[str, LastLive]]:
    """Yield groups of sites that showed the same release.

    Each group can be made together. Usually there is one.
    """
    for release, since in sorted({(each.release, each.since) for each in shown.values()}, reverse=True):
        yield {site: each for site, each in shown.items() if (each.release, each.since) == (release, since)}


def release_view_of_group(reader: ReleaseReader, group: Mapping[str, LastLive]) -> ReleaseView:
    """Return the release view that the sites of one release showed together."""
    blocked: dict[ItemId, int] = {}
    for shown in group.values():
        blocked |= shown.blocked
    return release_view_of(reader, next(iter(group.values())).release).blocking(blocked)


def release_view_of_shown(reader: ReleaseReader, shown: LastLive) -> ReleaseView:
    blocked: Blocked = shown.blocked
    return release_view_of(reader, shown.release).blocking(blocked)
