"""Packs: one file with a render worker's output in one publish, and an index.

Creating thousands of files, and waiting until they are on the disk, takes several times as long as writing their bytes.

An index begins with a line of JSON: the names of its packs and the number of its entries. The sorted entries follow::

    digest 16 bytes | encoding 1 byte | unused 1 byte | pack 2 bytes | size 4 bytes | offset 8 bytes   (big-endian)
"""

import contextlib
import mmap
import os
import struct
import time
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from secrets import token_hex
from typing import Final, Literal, NamedTuple

import orjson

from .disk import sync_folder, write_whole

Encoding = Literal["br", "gzip"]
FOLDER: Final = "packs"
INDEX_SUFFIX: Final = ".index"

_KINDS: Final[dict[Encoding | None, int]] = {None: 0, "br": 1, "gzip": 2}
_ENCODINGS: Final[tuple[Encoding | None, ...]] = tuple(_KINDS)
_ENTRY: Final = struct.Struct(">16sBxHIQ")
_KEY_BYTES: Final = 17
_MODE: Final = 0o444
_TOUCH_AFTER_S: Final = 600


class Packed(NamedTuple):
    """Bytes of a file, or a compressed copy of them, in a pack."""

    digest: str
    encoding: Encoding | None
    pack: str
    """Name of the pack."""
    offset: int
    size: int


class DamagedIndex(ValueError):
    """An index has impossible contents."""


class Index:
    """One index on the disk. It stays readable after `prune` has replaced it."""

    def __init__(self, path: Path) -> None:
        """Raise OSError or ValueError if it is unusable."""
        self.path = path
        with path.open("rb") as file:
            head = orjson.loads(file.readline())
            self._start = file.tell()
            try:
                self.packs: Sequence[str] = head["packs"]
                self._count = int(head["entries"])
            except (KeyError, TypeError):
                raise ValueError(f"{path} is damaged: its first line is not a header") from None
            if os.fstat(file.fileno()).st_size != self._start + self._count * _ENTRY.size:
                raise ValueError(f"{path} is damaged: its length is wrong")
            self._bytes = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)

    def find(self, key: bytes) -> Packed | None:
        low, high = 0, self._count
        while low < high:
            middle = (low + high) // 2
            at = self._start + middle * _ENTRY.size
            found = self._bytes[at : at + _KEY_BYTES]
            if found == key:
                return self._entry(at)
            if found < key:
                low = middle + 1
            else:
                high = middle
        return None

    def __iter__(self) -> Iterator[Packed]:
        return (self._entry(self._start + number * _ENTRY.size) for number in range(self._count))

    def touch(self) -> bool:
        """Return False if `prune` has replaced this index.

        Touched indexes are kept for an hour.
        """
        try:
            if time.time() - self.path.stat().st_mtime > _TOUCH_AFTER_S:
                os.utime(self.path)
        except FileNotFoundError:
            return False
        return True

    def _entry(self, at: int) -> Packed:
        digest, kind, pack, size, offset = _ENTRY.unpack_from(self._bytes, at)
        try:
            return Packed(digest.hex(), _ENCODINGS[kind], self.packs[pack], offset, size)
        except IndexError:
            raise DamagedIndex(f"{self.path} is damaged: it has an unreadable entry") from None


class Packs:
    """All packs of a content store.

    Several processes may read while one adds to them.
    """

    def __init__(self, store: Path) -> None:
        self.folder = store / FOLDER
        self._prefix = f"{self.folder}{os.sep}"
        self._seen = 0
        """Modification time of the folder when the indexes were read."""
        self._indexes: list[Index] = []
        """The newest first."""
        self._files: dict[str, int] = {}
        self._added: dict[bytes, Packed] = {}
        """Files without an index."""
        self._missing: frozenset[str] = frozenset()
        """Packs that an index names and the folder lacks. Their files count as not stored."""

    def path(self, pack: str) -> str:
        return f"{self._prefix}{pack}"

    def add(self, files: Iterable[Packed]) -> None:
        """Register files that were written to packs.

        Until ``seal``, only this object can find them.
        """
        for file in files:
            self._added[_key(file.digest, file.encoding)] = file

    def forget(self) -> None:
        """Drop files that were added since the last ``seal``."""
        self._added.clear()

    @property
    def is_unsealed(self) -> bool:
        return bool(self._added)

    def seal(self) -> None:
        """Write the index of the added files, durably.

        The packs must be on the disk already: indexed files count as stored, also after a power cut.
        """
        if self._added:
            write_index(self.folder, self._added.values())
            self.forget()

    def look_again(self) -> None:
        """Read again which packs and indexes exist, even if the folder seems unchanged."""
        self._load()

    def find(self, digest: str, encoding: Encoding | None = None) -> Packed | None:
        """Return the place of the bytes, or None if all packs lack them."""
        found = self._find(_key(digest, encoding))
        return found and found[0]

    def keep(self, digest: str) -> int | None:
        """Return the size of the file and count this as a use. None if all packs lack it."""
        while found := self._find(_key(digest, None)):
            packed, index = found
            if index is None or index.touch():
                return packed.size
            self._load()
        return None

    def read(self, digest: str, encoding: Encoding | None = None) -> bytes | None:
        """Return the bytes, or None if all packs lack them."""
        for _ in range(2):
            packed = self.find(digest, encoding)
            if packed is None:
                return None
            with contextlib.suppress(FileNotFoundError):
                return os.pread(self._open(packed.pack), packed.size, packed.offset)
            self._load()  # `prune` has moved used files to another pack
        return None

    def indexes(self) -> list[Index]:
        """Return the indexes on the disk now, newest first."""
        self._load()
        return list(self._indexes)

    def _find(self, key: bytes) -> tuple[Packed, Index | None] | None:
        if added := self._added.get(key):
            return added, None
        while True:
            for index in self._indexes:
                with contextlib.suppress(DamagedIndex):
                    if (found := index.find(key)) and found.pack not in self._missing:
                        return found, index
            if not self._has_changed():
                return None
            self._load()

    def _has_changed(self) -> bool:
        try:
            return os.stat(self.folder).st_mtime_ns != self._seen  # noqa: PTH116
        except FileNotFoundError:
            return False

    def _load(self) -> None:
        try:
            self._seen = os.stat(self.folder).st_mtime_ns  # noqa: PTH116
            there = {entry.name for entry in os.scandir(self.folder)}
        except FileNotFoundError:
            there = set()
        names = {name for name in there if name.endswith(INDEX_SUFFIX)}
        known = {index.path.name: index for index in self._indexes if index.path.name in names}
        for name in names - known.keys():
            with contextlib.suppress(FileNotFoundError, ValueError):
                known[name] = Index(self.folder / name)
        self._indexes = [known[name] for name in sorted(known, reverse=True)]
        packs = {pack for index in self._indexes for pack in index.packs}
        self._missing = frozenset(packs - there)
        for pack in self._files.keys() - (packs & there):
            os.close(self._files.pop(pack))

    def _open(self, pack: str) -> int:
        if pack not in self._files:
            self._files[pack] = os.open(self.path(pack), os.O_RDONLY | os.O_CLOEXEC)
        return self._files[pack]


def write_index(folder: Path, files: Iterable[Packed]) -> None:
    """Write an index durably. Its name sorts after earlier ones."""
    entries = list(files)
    names = sorted({file.pack for file in entries})
    numbers = {name: number for number, name in enumerate(names)}
    packed = sorted(
        _ENTRY.pack(bytes.fromhex(digest), _KINDS[encoding], numbers[pack], size, offset)
        for digest, encoding, pack, offset, size in entries
    )
    head = orjson.dumps({"packs": names, "entries": len(packed)}) + b"\n"
    path = folder / f"{time.time_ns():020d}-{token_hex(3)}{INDEX_SUFFIX}"
    write_whole(str(path), head + b"".join(packed), _MODE, durable=True)
    sync_folder(folder)


def _key(digest: str, encoding: Encoding | None) -> bytes:
    return bytes.fromhex(digest) + bytes((_KINDS[encoding],))
