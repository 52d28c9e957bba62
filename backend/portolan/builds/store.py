"""The content store: every file of every build, stored once by digest."""

import errno
import os
import time
from collections.abc import Collection, Iterable
from hashlib import sha256
from pathlib import Path
from secrets import token_hex
from typing import Final, NamedTuple

from .damage import read_damage
from .disk import make_folder, sync_file, sync_filesystem, sync_folder, write_whole
from .packs import Encoding, Packed, Packs, write_index

SUFFIXES: Final[dict[Encoding, str]] = {"br": ".br", "gzip": ".gz"}

UNUSED_BEFORE_REMOVAL_S: Final = 3600
"""`prune` keeps files that were stored or reused within this time, because their manifest may not be written yet."""

_TOUCH_AFTER_S: Final = 600
_UNREADABLE: Final = (errno.EIO, errno.ESTALE, getattr(errno, "EUCLEAN", errno.EIO))
"""Kernel errors for bytes that a disk or a file system has lost."""
_SYNC_ONE_BY_ONE: Final = 64
_WHOLE_MODE: Final = 0o444
"""Read-only: an export hard-links these files, and an edit there would change every build with them."""
_QUICK_COPY_MODE: Final = 0o644
_BEST_COPY_MODE: Final = 0o444


def digest_of(data: bytes) -> str:
    """The name of ``data`` in the store: the first 32 hex digits of its SHA-256."""
    return sha256(data).hexdigest()[:32]


class Place(NamedTuple):
    """Where stored bytes are on the disk."""

    path: str
    offset: int
    size: int


class ContentStore:
    """Files by digest in ``root``/store, alone or in packs.

    Several processes may read and write at once.
    """

    def __init__(self, root: Path) -> None:
        self.folder = root / "store"
        self._prefix = f"{self.folder}{os.sep}"
        self.packs = Packs(self.folder)
        self._damaged: set[str] = set()
        """Digests found damaged. They count as not stored."""

    def prepare(self) -> None:
        """Create the folders before render workers write, which do not wait for the disk.

        Unsealed packs are forgotten, and known damage will be written again.
        """
        if not self.packs.folder.is_dir():
            self._make_shards()
        self.packs.forget()
        self.packs.look_again()
        self._damaged = set(read_damage(self.folder.parent).files)

    def distrust(self, digests: Iterable[str]) -> None:
        """Treat these files as not stored until they are written again.

        They replace the earlier list; other damage is repaired later.
        """
        self._damaged = set(digests)

    def is_distrusted(self, digest: str) -> bool:
        return digest in self._damaged

    def path(self, digest: str, encoding: Encoding | None = None) -> str:
        """Return the path of the bytes or a copy outside packs, existing or not."""
        suffix = SUFFIXES[encoding] if encoding else ""
        return f"{self._prefix}{digest[:2]}{os.sep}{digest}{suffix}"

    def put(self, data: bytes) -> str:
        """Store ``data`` if it is new, and return its digest."""
        digest = digest_of(data)
        if digest in self._damaged:
            self.replace(digest, data)
        elif not self._reuse(digest, len(data)):
            self._write(self.path(digest), data, _WHOLE_MODE)
        return digest

    def replace(self, digest: str, data: bytes) -> None:
        """Write the bytes outside packs, which takes precedence over any other copy.

        Waits for the disk.
        """
        self._write(self.path(digest), data, _WHOLE_MODE, durable=True)
        self._damaged.discard(digest)

    def put_copy(self, digest: str, encoding: Encoding, data: bytes, *, best: bool = False) -> None:
        """Store or replace a compressed copy.

        ``best`` marks it as final and waits for the disk.
        """
        mode = _BEST_COPY_MODE if best else _QUICK_COPY_MODE
        self._write(self.path(digest, encoding), data, mode, durable=best)

    def keep(self, digest: str) -> bool:
        """Return True if the bytes are stored.

        Counts as a use: `prune` leaves them for the next hour.
        """
        return digest not in self._damaged and self._reuse(digest, None)

    def read(self, digest: str, encoding: Encoding | None = None) -> bytes | None:
        """Return the bytes or a compressed copy, or None if that is missing."""
        data: bytes | None
        try:
            with open(self.path(digest, encoding), "rb", buffering=0) as file:  # noqa: PTH123  (a third of the time)
                data = file.readall()
        except FileNotFoundError:
            data = self._read_packed(digest, encoding)
        except OSError as error:
            if error.errno not in _UNREADABLE:
                raise
            data = None  # the disk has lost the bytes, so they count as missing
        if encoding and not data:
            return None  # a compressed copy is never empty, so a power cut has damaged this one
        return data

    def _read_packed(self, digest: str, encoding: Encoding | None) -> bytes | None:
        try:
            return self.packs.read(digest, encoding)
        except OSError as error:
            if error.errno not in _UNREADABLE:
                raise
            return None

    def locate(self, digest: str) -> Place | None:
        """Return the place of the bytes for direct readers; None if missing."""
        path = self.path(digest)
        try:
            return Place(path, 0, os.stat(path).st_size)  # noqa: PTH116
        except FileNotFoundError:
            packed = self.packs.find(digest)
            return packed and Place(self.packs.path(packed.pack), packed.offset, packed.size)

    def encodings(self, digest: str) -> set[Encoding]:
        """Return the encodings of existing compressed copies."""
        return {
            encoding
            for encoding in SUFFIXES
            if os.path.exists(self.path(digest, encoding)) or self.packs.find(digest, encoding)  # noqa: PTH110
        }

    def has_best_copy(self, digest: str, encoding: Encoding) -> bool:
        """Return True if the copy is marked as final, by its file mode."""
        try:
            status = os.stat(self.path(digest, encoding))  # noqa: PTH116
        except FileNotFoundError:
            return False
        return status.st_mode & 0o777 == _BEST_COPY_MODE and status.st_size > 0

    def sync(self, digests: Collection[str]) -> None:
        """Wait until these files, their copies and their index are on the disk.

        Call this before a manifest with them goes live. Raise FileNotFoundError if a file is not stored.
        """
        alone = [digest for digest in digests if self.packs.find(digest) is None]
        if self.packs.is_unsealed or len(alone) > _SYNC_ONE_BY_ONE:
            for digest in alone:
                os.stat(self.path(digest))  # noqa: PTH116
            sync_filesystem(self.folder)
            self.packs.seal()  # last, because files in an index must be on the disk
            return
        for digest in alone:
            sync_file(self.path(digest))
            for encoding in self.encodings(digest):
                sync_file(self.path(digest, encoding))
        for shard in {digest[:2] for digest in alone}:
            sync_folder(self.folder / shard)

    def pack(self, digests: Iterable[str]) -> None:
        """Move files outside packs into one pack, with their compressed copies, durably.

        Machines that share a store fetch packs. Final copies also stay in place. Raise FileNotFoundError for a file
        that is not stored.
        """
        self._pack([digest for digest in digests if self.packs.find(digest) is None])

    def repack(self, digests: Iterable[str]) -> None:
        """Put files into a further pack, because a machine cannot read their present one."""
        self._pack(list(digests))

    def _pack(self, alone: Collection[str]) -> None:
        if not alone:
            return
        name, end = f"{token_hex(8)}-0", 0
        packed: list[Packed] = []
        with Path(self.packs.path(name)).open("wb") as pack:
            for digest in alone:
                for encoding in (None, *sorted(self.encodings(digest))):
                    data = self.read(digest, encoding)
                    if data is None:
                        raise FileNotFoundError(self.path(digest, encoding))
                    pack.write(data)
                    packed.append(Packed(digest, encoding, name, end, len(data)))
                    end += len(data)
        os.chmod(self.packs.path(name), _WHOLE_MODE)  # noqa: PTH101
        sync_file(self.packs.path(name))
        write_index(self.packs.folder, packed)
        for digest in alone:
            for encoding in SUFFIXES:
                if not self.has_best_copy(digest, encoding):
                    Path(self.path(digest, encoding)).unlink(missing_ok=True)
            Path(self.path(digest)).unlink(missing_ok=True)

    def _write(self, path: str, data: bytes, mode: int, durable: bool = False) -> None:
        try:
            write_whole(path, data, mode, durable)
        except FileNotFoundError:
            self._make_shards()
            write_whole(path, data, mode, durable)

    def _make_shards(self) -> None:
        """Create all folders and wait once for the disk.

        One wait for each folder would take half a second.
        """
        make_folder(self.folder)
        self.packs.folder.mkdir(exist_ok=True)
        for shard in range(256):
            (self.folder / f"{shard:02x}").mkdir(exist_ok=True)
        sync_folder(self.folder)

    def _reuse(self, digest: str, size: int | None) -> bool:
        """Return True if the file is there and complete.

        Touch it at intervals, so that `prune` sees that it is in use.
        """
        path = self.path(digest)
        try:
            status = os.stat(path)  # noqa: PTH116
            if size is not None and status.st_size != size:
                return False  # damaged by a power cut, so it is written again
            if time.time() - status.st_mtime > _TOUCH_AFTER_S:
                os.utime(path)
        except FileNotFoundError:
            packed = self.packs.keep(digest)
            return packed is not None and size in (None, packed)
        return True
