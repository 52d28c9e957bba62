"""History of publishing: each publish with its edits, and when it was served.

Only the publish's record is stored for it. Releases have the authors of edits, the sites' journals have the rendered
pages with reasons, and edge reports have the times.
"""

from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime, timedelta
from itertools import islice, takewhile
from pathlib import Path
from typing import Final, NamedTuple

from ..builds.edge_reports import EdgeReport, read_reports
from ..releases.reader import ReleaseInfo, ReleaseReader
from .journal import Entry, read_entries
from .publish_records import PublishRecord, read_records
from .reasons import Reasons

_MOST_RELEASES: Final = 50
"""Largest number of releases listed for one publish."""
_CLOCKS_DIFFER: Final = timedelta(minutes=1)
"""Largest difference between the clocks of the release worker and the publisher."""


class PastPublish(NamedTuple):
    record: PublishRecord
    releases: tuple[ReleaseInfo, ...]
    """Releases that it put live, newest first."""
    rendered: Mapping[str, Entry]
    """Pages that each site's new build rendered. A site is missing if its journal starts later."""
    reached: Mapping[str, str]
    """When each edge served all of it or a later state: ISO, by the edge's name."""

    @property
    def at(self) -> datetime:
        return datetime.fromisoformat(self.record.at)

    @property
    def authors(self) -> tuple[str, ...]:
        """Authors of its edits, or the person who went back."""
        if self.record.by:
            return (self.record.by,)
        return tuple(dict.fromkeys(release.created_by for release in self.releases if release.created_by))

    @property
    def to_live_s(self) -> float | None:
        """Seconds from the save of its oldest edit until it was live; None if unknown.

        Counts from its first release if no save is recorded.
        """
        if self.record.failure or self.record.by:
            return None
        if self.record.saved:
            return (self.at - datetime.fromisoformat(self.record.saved)).total_seconds()
        if self.releases and len(self.releases) < _MOST_RELEASES:
            return (self.at - self.releases[-1].created_at).total_seconds()
        return None

    @property
    def to_fetched_s(self) -> float | None:
        """The same until the first edge served it, or None before its report."""
        if self.to_live_s is None or not self.reached:
            return None
        return self.to_live_s + (datetime.fromisoformat(min(self.reached.values())) - self.at).total_seconds()

    @property
    def pages(self) -> int | None:
        """Number of rendered pages, as far as known.

        None if a site rendered all of its pages.
        """
        entries = self.rendered.values()
        return None if any(entry.every for entry in entries) else sum(len(entry.pages) for entry in entries)


class Alike(NamedTuple):
    """Pages of one site that were rendered for the same reasons."""

    reasons: Reasons
    paths: tuple[str, ...]
    """Empty for all pages of the site."""


class History:
    """Reads the history of one installation."""

    def __init__(self, builds: Path, reader: ReleaseReader) -> None:
        self._builds = builds
        self._reader = reader

    def newest(self, limit: int, skip: int = 0) -> list[PastPublish]:
        """Return the newest publishes, newest first."""
        return self._join(list(islice(read_records(self._builds), skip, skip + limit)))

    def count(self) -> int:
        return sum(1 for _ in read_records(self._builds))

    def find(self, at: str) -> PastPublish | None:
        """Return the publish that went live at exactly this time, or None."""
        return next(iter(self._join([record for record in read_records(self._builds) if record.at == at][:1])), None)

    def of_release(self, release: ReleaseInfo) -> list[PastPublish]:
        """Return the publishes that put a release live on any site, in order.

        Empty if there are none, or if their records are gone.
        """
        earliest = release.created_at - _CLOCKS_DIFFER
        records = takewhile(lambda record: datetime.fromisoformat(record.at) >= earliest, read_records(self._builds))
        found = [
            record
            for record in records
            if not record.by and not record.failure and record.since < release.number <= record.release
        ]
        return self._join(reversed(found))

    def served_since(self, site: str, build: str) -> str:
        """Return when an edge first served this build or a later one; empty if unknown."""
        return min(Edges(read_reports(self._builds)).find({site: build}).values(), default="")

    def _join(self, records: Iterable[PublishRecord]) -> list[PastPublish]:
        found = [*records]
        entries = self._find_entries(found)
        edges = Edges(read_reports(self._builds))
        return [
            PastPublish(
                record,
                tuple(self._find_releases(record)),
                {site: entries[site, build] for site, build in record.builds.items() if (site, build) in entries},
                edges.find(record.builds),
            )
            for record in found
        ]

    def _find_releases(self, record: PublishRecord) -> Iterator[ReleaseInfo]:
        """Yield releases made before the publish.

        A later one has a reused number of a restored database.
        """
        if record.by or record.failure:
            return
        latest = datetime.fromisoformat(record.at) + _CLOCKS_DIFFER
        for release in self._reader.releases_after(record.since, record.release, _MOST_RELEASES):
            if release.created_at <= latest:
                yield release

    def _find_entries(self, records: Iterable[PublishRecord]) -> dict[tuple[str, str], Entry]:
        """Return the first entry of each build, which made it.

        Pages of later entries came out the same.
        """
        wanted: dict[str, set[str]] = {}
        for record in records:
            for site, build in record.builds.items():
                wanted.setdefault(site, set()).add(build)
        found: dict[tuple[str, str], Entry] = {}
        for site, builds in wanted.items():
            oldest = min(map(_order, builds))
            for entry in read_entries(self._builds, site):
                if entry.build in builds:
                    found[site, entry.build] = entry
                elif _order(entry.build) < oldest:
                    break
        return found


def group_pages(entry: Entry, most: int | None = None) -> list[Alike]:
    """Return the rendered pages of one build by reasons, or only the first groups."""
    if entry.every:
        return [Alike(entry.every, ())]
    return [Alike(entry.reasons(paths[0]), tuple(sorted(paths))) for paths in entry.alike()[:most]]


class Edges:
    """When each edge first served each build."""

    def __init__(self, reports: Iterable[EdgeReport]) -> None:
        self._reports: dict[str, list[EdgeReport]] = {}
        for report in reports:
            self._reports.setdefault(report.edge, []).append(report)

    def find(self, builds: Mapping[str, str]) -> dict[str, str]:
        """Return when each edge had all of these builds, or later ones in their place."""
        found = {}
        for edge, reports in self._reports.items():
            times = [_first(reports, site, _order(build)) for site, build in builds.items()]
            if times and all(times):
                found[edge] = max(time for time in times if time)
        return found


def _first(reports: Iterable[EdgeReport], site: str, order: tuple[str, str, int, str]) -> str | None:
    return min(
        (each.at for each in reports if site in each.builds and _order(each.builds[site]) >= order), default=None
    )


def _order(build: str) -> tuple[str, str, int, str]:
    """Return a sort key by the creation of builds (``builds.manifest.name_build``)."""
    day, _, rest = build.partition("-")
    second, _, rest = rest.partition("-")
    release, _, mark = rest.partition("-")
    return day, second, int(release) if release.isdecimal() else 0, mark
