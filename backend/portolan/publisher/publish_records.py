"""Record of each publish: its time, its new builds, and each stage's duration.

One line each, stored with the builds. ``history`` joins it with the authors from releases and the pages from journals.
"""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

from ..builds.line_file import LineFile
from ..observing.event import Event
from .stages import Span

_MOST_BYTES: Final = 2_000_000
"""Limit of each of two files, which together have some ten thousand publishes."""


class PublishRecord(NamedTuple):
    """The result of one publish. A failed one has put nothing live."""

    at: str
    """When it went live or failed. ISO time with offset."""
    release: int = 0
    """0 if it failed before it had a release."""
    since: int = 0
    """The previous live release; 0 for none."""
    builds: Mapping[str, str] = {}
    """The new builds by site. A site without a changed file gets none."""
    stages: Mapping[str, float] = {}
    """Milliseconds by stage."""
    saved: str = ""
    """When the oldest of its edits was saved, ISO; empty without an edit, or if unknown."""
    by: str = ""
    """Who went back to an earlier release; empty for a publish of edits."""
    held: int = 0
    """Number of blocked changes."""
    failure: str = ""
    """Why it failed; empty after a success."""


PUBLISHED: Final[Event[[PublishRecord, Sequence[Span], Mapping[str, int]]]] = Event()
"""A publish went live or failed: its record, its stages, and the number of pages by the cause of their first reason."""


def append_record(root: Path, record: PublishRecord) -> None:
    """Add a record. The caller holds the ``publish_lock``, except for a failure."""
    _file(root).append({name: value for name, value in record._asdict().items() if value})


def read_records(root: Path) -> Iterator[PublishRecord]:
    """Yield the records, newest first."""
    for document in _file(root).newest_first():
        if (record := _read(document)) is not None:
            yield record


def _read(document: Any) -> PublishRecord | None:
    """Return the record, or None if another version's format is unreadable."""
    try:
        return PublishRecord(**{name: document[name] for name in PublishRecord._fields if name in document})
    except (TypeError, KeyError):
        return None


def _file(root: Path) -> LineFile:
    return LineFile(root / "publishes.jsonl", root / "publishes-earlier.jsonl", _MOST_BYTES)
