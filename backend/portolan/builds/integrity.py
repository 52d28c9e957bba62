"""Whether stored bytes are what they were stored as. A file's name is the digest of its bytes; a compressed copy has none of
its own, so it is unpacked."""

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
    """Stored bytes that are missing, or not what they were."""

    digest: str
    size: int
    encoding: Encoding | None
    """Of a compressed copy; none for the file itself."""
    what: str
    """In words, with the file's path."""


def is_intact(data: bytes, file: Stored, encoding: Encoding | None = None) -> bool:
    """Whether these bytes are the file, or a compressed copy of it."""
    plain = unpack(data, encoding, file.size) if encoding else data
    return plain is not None and digest_of(plain) == file.digest


def find_damage(store: ContentStore, file: Stored) -> list[Damage]:
    """All that is wrong with a stored file and its copies."""
    data, path, file_key = store.read(file.digest), store.path(file.digest), (file.digest, file.size)
    found: list[Damage] = []
    if data is None:
        found.append(Damage(*file_key, None, f"{path} is missing"))
    elif digest_of(data) != file.digest:
        found.append(Damage(*file_key, None, f"{path} is damaged: its bytes are not those it was stored with"))
    elif len(data) != file.size:
        found.append(Damage(*file_key, None, f"the manifest says {file.size} bytes, {path} has {len(data)}"))
    for encoding in SUFFIXES:
        copy = store.read(file.digest, encoding)
        if copy is not None and not is_intact(copy, file, encoding):
            what = f"{store.path(file.digest, encoding)} is damaged: it is not a compressed copy of its file"
            found.append(Damage(*file_key, encoding, what))
    return found


def read_whole(store: ContentStore, file: Stored) -> bytes | None:
    """Return the bytes of a file, or of an intact copy of it; None if there is none."""
    data = store.read(file.digest)
    return data if data is not None and digest_of(data) == file.digest else restore(store, file)


def find_damaged(store: ContentStore, files: Iterable[Stored]) -> Damage | None:
    """The first of these files that cannot be had any more."""
    for file in files:
        if read_whole(store, file) is None:
            return find_damage(store, file)[0]
    return None


def restore(store: ContentStore, file: Stored) -> bytes | None:
    """The bytes of a file, out of a compressed copy of it; none where no copy is whole."""
    for encoding in SUFFIXES:
        copy = store.read(file.digest, encoding)
        plain = None if copy is None else unpack(copy, encoding, file.size)
        if plain is not None and digest_of(plain) == file.digest:
            return plain
    return None
