"""When each edge first served a build: each edge that follows the builds of this folder keeps a file of its own there."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final, NamedTuple

from .line_file import LineFile
from .manifest import now_iso

_MOST_BYTES: Final = 256_000
_FOLDER: Final = "edges"


class EdgeReport(NamedTuple):
    edge: str
    at: str
    """When it had read them, ISO time with offset."""
    builds: Mapping[str, str]
    """The builds that it serves since then, by site."""


def append_report(root: Path, edge: str, builds: Mapping[str, str]) -> None:
    """Raises OSError where the folder cannot be written to. Several processes of one edge may tell the same."""
    _file(root, edge).append({"at": now_iso(), "builds": dict(builds)})


def read_reports(root: Path) -> Iterator[EdgeReport]:
    """Of all edges, each one's oldest first."""
    folder = root / _FOLDER
    for file in sorted(folder.glob("*.jsonl")) if folder.is_dir() else ():
        edge = file.stem
        if edge.endswith("~earlier"):
            continue
        for document in _file(root, edge).oldest_first():
            try:
                yield EdgeReport(edge, str(document["at"]), dict(document["builds"]))
            except (TypeError, KeyError, ValueError):
                continue


def _file(root: Path, edge: str) -> LineFile:
    folder = root / _FOLDER
    return LineFile(folder / f"{edge}.jsonl", folder / f"{edge}~earlier.jsonl", _MOST_BYTES)
