"""Check whether stored bytes are intact.

A file's name is the digest of its bytes. A compressed copy has no digest, so it is unpacked and compared with the file.
"""

from collections.abc import Iterable
from typing import NamedTuple, Protocol

from .packs import Encoding
from .store import SUFFIXES, ContentStore, digest_of
from .unpack import unpack


class Stored(Protocol):
    """A file of a manifest."""

    @property
    def digest(self) -> str: ...
    @property
    def size(self) -> int: ...


class Damage(NamedTuple):
    """Stored bytes that are missing or have changed."""

    digest: str
    size: int
    encoding: Encoding | None
    """Encoding of a compressed copy; None for the file itself."""
    what: str
    """A description with the file's path."""


def is_intact(data: bytes, file: Stored, encoding: Encoding | None = None) -> bool:
    """Return True if ``data`` is the file, or its compressed copy."""
    plain = unpack(data, encoding, file.size) if encoding else data
    return plain is not None and digest_of(plain) == file.digest


def find_damage(store: ContentStore, file: Stored) -> list[Damage]:
    """Return every damage of a stored file and its copies."""
    data, path, file_key = store.read(file.digest), store.path(file.digest), (file.digest, file.size)
    found: list[Damage] = []
    if data is None:
        found.append(Damage(*file_key, None, f"{path} is missing"))
    elif digest_of(data) != file.digest:
        found.append(Damage(*file_key, None, f"{path} is damaged: its bytes have changed"))
    elif len(data) != file.size:
        found.append(Damage(*file_key, None, f"{path} has {len(data)} bytes, the manifest {file.size}"))
    for encoding in SUFFIXES:
        copy = store.read(file.digest, encoding)
        if copy is not None and not is_intact(copy, file, encoding):
            what = f"{store.path(file.digest, encoding)} is damaged: it is not a compressed copy of its file"
            found.append(Damage(*file_key, encoding, what))
    return found


def read_whole(store: ContentStore, file: Stored) -> bytes | None:
    """Return the bytes of a file, or of an intact copy; None if all are damaged."""
    data = store.read(file.digest)
    return data if data is not None and digest_of(data) == file.digest else restore(store, file)


def find_damaged(store: ContentStore, files: Iterable[Stored]) -> Damage | None:
    """Return the damage of the first file that is lost with all its copies, or None."""
    for file in files:
        if read_whole(store, file) is None:
            return find_damage(store, file)[0]
    return None


def restore(store: ContentStore, file: Stored) -> bytes | None:
    """Return a file's bytes from a compressed copy, or None if all are damaged."""
    for encoding in SUFFIXES:
        copy = store.read(file.digest, encoding)
        plain = None if copy is None else unpack(copy, encoding, file.size)
        if plain is not None and digest_of(plain) == file.digest:
            return plain
    return None
