"""An append-only file of JSON lines with a size limit.

If it is full, it replaces the earlier file.

For history that no other data is made from. Writes are not synced.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import orjson

from .disk import make_folder


class LineFile:
    """Lines of JSON, in two files of ``most_bytes`` each."""

    def __init__(self, newer: Path, earlier: Path, most_bytes: int) -> None:
        self._newer = newer
        self._earlier = earlier
        self._most_bytes = most_bytes

    def append(self, document: Any) -> None:
        make_folder(self._newer.parent)
        # The line break comes first, because it ends a line that a power cut has left incomplete.
        data = b"\n" + orjson.dumps(document)
        with self._newer.open("ab", buffering=0) as lines:
            size = lines.tell()
            if size == 0 or size + len(data) <= self._most_bytes:
                lines.write(data)
                return
        self._newer.replace(self._earlier)
        self._newer.write_bytes(data)

    def newest_first(self) -> Iterator[Any]:
        """Yield the appended documents. Damaged lines are skipped."""
        for file in (self._newer, self._earlier):
            yield from _parse(reversed(_read(file)))

    def oldest_first(self) -> Iterator[Any]:
        for file in (self._earlier, self._newer):
            yield from _parse(_read(file))


def _read(file: Path) -> list[bytes]:
    try:
        return file.read_bytes().split(b"\n")
    except FileNotFoundError:
        return []


def _parse(lines: "Iterator[bytes] | list[bytes]") -> Iterator[Any]:
    for line in lines:
        try:
            if line:
                yield orjson.loads(line)
        except ValueError:
            continue
