"""Damage that edges meet while they serve.

Publishers and the follower of the same folder of builds read it. Each edge has one file in ``edges/``.
"""

import time
from collections.abc import Collection
from contextlib import suppress
from pathlib import Path
from typing import Final

import orjson

from .disk import make_folder, write_whole

MOST_FILES: Final = 1000
"""Largest number of files in one report. An edge reports the others when it meets them again."""
_SUFFIX: Final = ".damage.json"
_READ_WITHIN_S: Final = 60
"""Seconds after which every reader has read a report and it is removed."""


def report_damage(root: Path, edge: str, digests: Collection[str]) -> None:
    """Add files to the edge's report.

    Raise OSError if the folder cannot be written to.
    """
    file = root / "edges" / f"{edge}{_SUFFIX}"
    make_folder(file.parent)
    said = list(dict.fromkeys([*digests, *_read(file)]))[:MOST_FILES]
    write_whole(str(file), orjson.dumps(said), 0o644)


class MetDamage:
    """The reports that one process has not read yet.

    Several processes may read them: publishers of groups of sites, and a follower.
    """

    def __init__(self, root: Path) -> None:
        self._root = root
        self._seen: dict[Path, int] = {}

    def take(self) -> set[str]:
        """Return the digests that edges have met since the last call."""
        found: set[str] = set()
        for file in _files(self._root):
            with suppress(OSError):
                written = file.stat()
                if self._seen.get(file) != written.st_mtime_ns:
                    self._seen[file] = written.st_mtime_ns
                    found.update(_read(file))
                elif time.time() - written.st_mtime > _READ_WITHIN_S:
                    file.unlink()
        return found


def _files(root: Path) -> Collection[Path]:
    folder = root / "edges"
    return sorted(folder.glob(f"*{_SUFFIX}")) if folder.is_dir() else ()


def _read(file: Path) -> list[str]:
    try:
        return [str(digest) for digest in orjson.loads(file.read_bytes())]
    except (OSError, ValueError, TypeError):
        return []
