"""The journal of a site: which pages each build rendered, and why. One line for each build, written with its manifest,
read by ``explain``.

It is history and no cache: nothing is made from it, and who loses it loses no page. So it is not synced. Each line names
the build whose other pages this one kept; the way back along these names leads from the live build to where each of its
pages was rendered last, also after somebody has gone back to an earlier one.
"""

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final, NamedTuple

import orjson

from ..builds.line_file import LineFile
from .reasons import Cause, Reasons, pack_reason, unpack_reason
from .site_build import SiteBuild

_MOST_BYTES: Final = 8_000_000
"""Of one file. A site has two: where the newer one is full, it takes the place of the older one."""


class Entry(NamedTuple):
    """What one build of a site rendered."""

    build: str
    before: str
    """The build whose other pages it kept; the same one where it has no file that differs. Empty for none."""
    release: int
    since: int
    """The release that the site showed before; 0 for none."""
    at: str
    """ISO time with offset."""
    web: str
    """Hash of the web build that rendered."""
    by: str = ""
    """Who went back to an earlier release; empty where a publish made the build."""
    every: Reasons = ()
    """Why all pages were rendered; empty if they were not."""
    kept: frozenset[str] = frozenset()
    """Paths that were not, although all others were."""
    pages: Mapping[str, Reasons] = {}
    """Else the rendered ones, by path."""

    def reasons(self, path: str) -> Reasons:
        """Why a page was rendered for this build; empty if it was not."""
        if self.every:
            return () if path in self.kept else self.every
        return self.pages.get(path, ())

    def alike(self) -> list[list[str]]:
        """Paths of the rendered pages, those with the same reasons together."""
        if isinstance(self.pages, _Pages):
            return self.pages.alike()
        found: dict[Reasons, list[str]] = {}
        for path, reasons in self.pages.items():
            found.setdefault(reasons, []).append(path)
        return [*found.values()]


class _Pages(Mapping[str, Reasons]):
    """Reasons by path, as they stand in a line until they are asked for: of a large publish there are a hundred thousand, and
    most who read it want to know which pages there are.
    """

    def __init__(self, groups: Iterable[Any]) -> None:
        """Raises ValueError, TypeError or LookupError for what another version has written, or nobody: to leave out single
        reasons would tell that pages were rendered earlier than they were.
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
    """One page of a build, where it was rendered last."""

    entry: Entry
    reasons: Reasons
    back: Entry | None
    """Where somebody went back to it later, so that it is live again."""


def entry_of(build: SiteBuild, at: str, by: str = "") -> Entry:
    """What a planned and rendered build has to say. ``build.inputs.build`` is its name."""
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
    """The entries of a site, the newest first. A damaged line is passed over."""
    return _parse(_file(root, site).newest_first())


def lines_of(root: Path, site: str, builds: Iterable[str]) -> dict[str, bytes]:
    """The lines of these builds, as far as there are any: for another machine's journal."""
    wanted = set(builds)
    found: dict[str, list[bytes]] = {}
    oldest = min(wanted, default="")
    for entry in read_entries(root, site):
        if entry.build < oldest:  # names stand in the order in which builds were made
            break
        if entry.build in wanted:
            found.setdefault(entry.build, []).insert(0, orjson.dumps(_pack(entry)))
    return {build: b"\n".join(lines) for build, lines in found.items()}


def add_lines(root: Path, site: str, lines: bytes) -> None:
    """Take in another machine's lines."""
    for entry in _parse(orjson.loads(line) for line in lines.split(b"\n") if line):
        append_entry(root, site, entry)


def find_beginning(root: Path, site: str) -> str:
    """When the journal of a site begins, ISO; empty where there is none."""
    return next((entry.at for entry in _parse(_file(root, site).oldest_first())), "")


def find_renderings(entries: Iterable[Entry], build: str, path: str) -> Iterator[Rendering]:
    """When a page of a build was rendered, the last time first. ``entries``: those of its site, the newest first. Those
    from before the journal's first line are missing."""
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
    """As JSON; what is empty is left out, and pages with the same reasons stand together."""
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
