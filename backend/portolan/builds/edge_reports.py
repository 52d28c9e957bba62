"""When each edge first served a build.

Each edge has one file in ``edges/`` of the folder of builds.
"""

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
    """When the edge had read the builds, ISO time with offset."""
    builds: Mapping[str, str]
    """The builds served since then, by site."""


def append_report(root: Path, edge: str, builds: Mapping[str, str]) -> None:
    """Append to the edge's file. Raise OSError if the folder is not writable.

    Several processes of one edge may report the same.
    """
    _file(root, edge).append({"at": now_iso(), "builds": dict(builds)})


def read_reports(root: Path) -> Iterator[EdgeReport]:
    """Yield the reports of all edges, each edge's oldest first."""
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
