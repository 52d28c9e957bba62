"""The record of each publish: when it went live, the builds it put there, how long each stage took. One line for each,
beside the builds. Whose edits it held, releases say; which pages it rendered and why, the sites' journals: ``history``
joins them.
"""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

from ..builds.line_file import LineFile
from ..observing.event import Event
from .stages import Span

_MOST_BYTES: Final = 2_000_000
"""Of one of the two files: together some ten thousand publishes."""


class PublishRecord(NamedTuple):
    """What one publish did. One that failed has put nothing live."""

    at: str
    """When it was live, or had failed. ISO time with offset."""
    release: int = 0
    """0 where it did not get as far as a release."""
    since: int = 0
    """The release that was live before; 0 for none."""
    builds: Mapping[str, str] = {}
    """The new builds, by site. A site whose files did not change got none."""
    stages: Mapping[str, float] = {}
    """Milliseconds by stage."""
    saved: str = ""
    """When the oldest of its edits was saved, ISO; empty where there was no edit, or nobody knows."""
    by: str = ""
    """Who went back to an earlier release; empty where it followed edits."""
    held: int = 0
    """Changes that were left out, because of a problem."""
    failure: str = ""
    """Why it failed; empty where it did not."""


PUBLISHED: Final[Event[[PublishRecord, Sequence[Span], Mapping[str, int]]]] = Event()
"""A publish went live, or failed: its record, its stages one by one, and how many pages were rendered, by the cause of the
first reason of each."""


def append_record(root: Path, record: PublishRecord) -> None:
    """The caller holds the ``publish_lock``, except for a failure."""
    _file(root).append({name: value for name, value in record._asdict().items() if value})


def read_records(root: Path) -> Iterator[PublishRecord]:
    """The newest first."""
    for document in _file(root).newest_first():
        if (record := _read(document)) is not None:
            yield record


def _read(document: Any) -> PublishRecord | None:
    """None for what another version wrote and this one cannot read."""
    try:
        return PublishRecord(**{name: document[name] for name in PublishRecord._fields if name in document})
    except (TypeError, KeyError):
        return None


def _file(root: Path) -> LineFile:
    return LineFile(root / "publishes.jsonl", root / "publishes-earlier.jsonl", _MOST_BYTES)
