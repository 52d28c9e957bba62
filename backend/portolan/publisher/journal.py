"""Journal of a site: the pages that each build rendered, with reasons.

One line per build, for ``explain``.

It is only history, so it is not synced. Each line names the previous build, whose other pages
were kept. Following these names from the live build finds the last rendering of each page, also across
rollbacks.
"""

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final, NamedTuple

import orjson

from ..builds.line_file import LineFile
from .reasons import Cause, Reasons, pack_reason, unpack_reason
from .site_build import SiteBuild

_MOST_BYTES: Final = 8_000_000
"""Limit of one file. A site has two: a full newer file replaces the older one."""


class Entry(NamedTuple):
    """The rendered pages of one build of a site."""

    build: str
    before: str
    """The build whose other pages it kept; itself if no file differed. Empty for none."""
    release: int
    since: int
    """The release that the site showed before; 0 for none."""
    at: str
    """ISO time with offset."""
    web: str
    """Hash of the web build that rendered."""
    by: str = ""
    """Who went back to an earlier release; empty for a publish."""
    every: Reasons = ()
    """Why all pages were rendered; empty if they were not."""
    kept: frozenset[str] = frozenset()
    """Paths of pages that were kept while all others were rendered."""
    pages: Mapping[str, Reasons] = {}
    """The rendered pages by path, if not all were."""

    def reasons(self, path: str) -> Reasons:
        """Return why a page was rendered for this build; empty if it was not."""
        if self.every:
            return () if path in self.kept else self.every
        return self.pages.get(path, ())

    def alike(self) -> list[list[str]]:
        """Return the paths of rendered pages, grouped by reasons."""
        if isinstance(self.pages, _Pages):
            return self.pages.alike()
        found: dict[Reasons, list[str]] = {}
        for path, reasons in self.pages.items():
            found.setdefault(reasons, []).append(path)
        return [*found.values()]


class _Pages(Mapping[str, Reasons]):
    """Reasons by path, unpacked on access.

    A large publish has a hundred thousand, and most readers need only the paths.
    """

    def __init__(self, groups: Iterable[Any]) -> None:
        """Raise ValueError, TypeError or LookupError for damaged rows or unknown reasons.

        Leaving out single reasons would date pages' last renderings too early.
        """
        groups = list(groups)
        for cause in {row[0] for packed, _ in groups for row in packed}:
            Cause(cause)
        self._groups = [(packed, [*map(str, paths)]) for packed, paths in groups]
        self._packed = {path: packed for packed, paths in self._groups for path in paths}

    def alike(self) -> list[list[str]]:
        return [paths for _, paths in self._groups if paths]

    def __getitem__(self, path: str) -> Reasons:
        return _unpack_reasons(self._packed[path])

    def __iter__(self) -> Iterator[str]:
        return iter(self._packed)

    def __len__(self) -> int:
        return len(self._packed)


class Rendering(NamedTuple):
    """One page of a build at its last rendering."""

    entry: Entry
    reasons: Reasons
    back: Entry | None
    """The entry of a later rollback that made it live again."""


def entry_of(build: SiteBuild, at: str, by: str = "") -> Entry:
    """Return the entry of a planned and rendered build.

    ``build.inputs.build`` is its name.
    """
    previous = build.previous
    inputs = previous.inputs if previous else None
    since = inputs.release if inputs else previous.manifest.release if previous else 0
    before = previous.manifest.build if previous else ""
    entry = Entry(build.inputs.build, before, build.inputs.release, since, at, build.inputs.web, by)
    rendered = [*build.plan.render, *build.plan.splice]
    if build.every and len(rendered) + len(build.stale) >= len(build.inputs.pages):
        return entry._replace(every=build.every, kept=build.stale)
    return entry._replace(pages={path: build.reasons(path) for path in rendered})


def append_entry(root: Path, site: str, entry: Entry) -> None:
    """Add a line to the site's journal. The caller holds the ``publish_lock``."""
    _file(root, site).append(_pack(entry))


def read_entries(root: Path, site: str) -> Iterator[Entry]:
    """Yield the entries of a site, newest first. Damaged lines are skipped."""
    return _parse(_file(root, site).newest_first())


def lines_of(root: Path, site: str, builds: Iterable[str]) -> dict[str, bytes]:
    """Return the existing lines of these builds, for another machine's journal."""
    wanted = set(builds)
    found: dict[str, list[bytes]] = {}
    oldest = min(wanted, default="")
    for entry in read_entries(root, site):
        if entry.build < oldest:  # names sort by creation
            break
        if entry.build in wanted:
            found.setdefault(entry.build, []).insert(0, orjson.dumps(_pack(entry)))
    return {build: b"\n".join(lines) for build, lines in found.items()}


def add_lines(root: Path, site: str, lines: bytes) -> None:
    """Add the lines of another machine."""
    for entry in _parse(orjson.loads(line) for line in lines.split(b"\n") if line):
        append_entry(root, site, entry)


def find_beginning(root: Path, site: str) -> str:
    """Return when the journal of a site begins, ISO; empty without a journal."""
    return next((entry.at for entry in _parse(_file(root, site).oldest_first())), "")


def find_renderings(entries: Iterable[Entry], build: str, path: str) -> Iterator[Rendering]:
    """Yield the renderings of a page of a build, last one first.

    ``entries``: the site's entries, newest first. Renderings before the journal's first line are missing.
    """
    wanted, back = build, None
    for entry in entries:
        if entry.build != wanted:
            continue
        wanted = entry.before
        if entry.by and back is None:
            back = entry
        if reasons := entry.reasons(path):
            yield Rendering(entry, reasons, None if back is entry else back)
        if not wanted:
            return


def _file(root: Path, site: str) -> LineFile:
    folder = root / "journal" / site
    return LineFile(folder / "builds.jsonl", folder / "earlier.jsonl", _MOST_BYTES)


def _parse(documents: Iterable[Any]) -> Iterator[Entry]:
    for document in documents:
        try:
            yield _unpack(document)
        except (ValueError, TypeError, LookupError):
            continue


def _pack(entry: Entry) -> dict[str, Any]:
    """Return the entry as JSON values, with pages grouped by reasons."""
    document = {
        **entry._asdict(),
        "every": _pack_reasons(entry.every),
        "kept": sorted(entry.kept),
        "pages": [[_pack_reasons(entry.pages[paths[0]]), paths] for paths in entry.alike()],
    }
    return {name: value for name, value in document.items() if value}


def _unpack(document: dict[str, Any]) -> Entry:
    return Entry(
        document["build"],
        document.get("before", ""),
        document["release"],
        document.get("since", 0),
        document["at"],
        document.get("web", ""),
        document.get("by", ""),
        _unpack_reasons(document.get("every", ())),
        frozenset(document.get("kept", ())),
        _Pages(document.get("pages", ())),
    )


def _pack_reasons(reasons: Reasons) -> list[list[Any]]:
    return [pack_reason(reason) for reason in reasons]


def _unpack_reasons(rows: Iterable[list[Any]]) -> Reasons:
    return tuple(unpack_reason(row) for row in rows)
