"""This machine's copies of media that are kept elsewhere. Each is whole or not there, and can be had again."""

import fcntl
import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Final, Protocol

from .disk import make_folder, sync_file
from .manifest import BuildError
from .media_lists import MediaFile, MediaFiles, lists_folder, unpack_list
from .media_source import MediaStorage, Upload

if TYPE_CHECKING:
    from .object_store import ObjectStore

LARGE_BYTES: Final = 8 << 20
"""A larger file is a film: it is fetched when somebody asks for it, and not before its page goes live."""


class MediaOrigin(Protocol):
    """Where copies come from. Its methods may raise StoreAway."""

    is_near: bool
    """Whether ``find`` answers at once. Otherwise a network lies between."""

    def find(self, name: str) -> MediaFile | None:
        """With an empty digest where that is not known."""
        ...

    def save(self, name: str, file: MediaFile, path: Path) -> None:
        """Raises FileNotFoundError where it is gone."""
        ...

    def read(self, name: str, file: MediaFile, start: int, end: int) -> bytes:
        """The bytes from one offset up to (not including) another one, likewise."""
        ...


class MediaCopies:
    """Files by name in one folder. Several processes may write and read at once."""

    def __init__(self, folder: Path, others: Sequence[Path] = ()) -> None:
        """``others``: folders that have the files themselves. What is there needs no copy."""
        self.folder = folder
        self._others = others

    @property
    def folders(self) -> Sequence[Path]:
        """Where files are, in this order."""
        return (*self._others, self.folder)

    def has(self, name: str, file: MediaFile) -> bool:
        """Whether it is here, in the state that ``file`` describes."""
        for folder in self._others:
            if os.path.isfile(folder / name):  # noqa: PTH113
                return True
        try:
            status = os.stat(self.folder / name)  # noqa: PTH116
        except (FileNotFoundError, NotADirectoryError):
            return False
        return (status.st_size, status.st_mtime_ns) == (file.size, file.changed_ns)

    def bring(self, origin: MediaOrigin, name: str, file: MediaFile, wait: bool = True) -> None:
        """Afterwards it is here; without ``wait`` not where another process is at it. Raises StoreAway, FileNotFoundError, or
        BuildError where the bytes are not what they should be."""
        place = self.folder / name
        with _alone(place, wait) as part:
            if part is None or self.has(name, file):
                return
            origin.save(name, file, part)
            if part.stat().st_size != file.size or (file.digest and digest_of_file(part) != file.digest):
                raise BuildError(f"The copy of {name} that was fetched is damaged. It is fetched again.")
            os.utime(part, ns=(file.changed_ns, file.changed_ns))
            sync_file(part)
            part.replace(place)

    def remove(self, name: str) -> None:
        (self.folder / name).unlink(missing_ok=True)


class ListedMedia:
    """What the lists of a machine name, from the store that machines share."""

    is_near = True

    def __init__(self, root: Path, objects: "ObjectStore") -> None:
        self._folder = lists_folder(root)
        self._objects = objects
        self._seen: tuple[int, int] | None = None
        self._lists: dict[str, MediaFiles] = {}
        self._files: MediaFiles = {}

    @property
    def files(self) -> MediaFiles:
        """They are read again when they change."""
        try:
            status = self._folder.stat()
        except FileNotFoundError:
            return {}
        seen = status.st_ino, status.st_mtime_ns
        if seen != self._seen:
            self._lists = read_lists(self._folder, self._lists)
            self._files, self._seen = join_lists(self._lists), seen
        return self._files

    def find(self, name: str) -> MediaFile | None:
        return self.files.get(name)

    def save(self, name: str, file: MediaFile, path: Path) -> None:
        self._objects.save(file.key, path)

    def read(self, name: str, file: MediaFile, start: int, end: int) -> bytes:
        return self._objects.get_range(file.key, start, end)


class ListedFiles:
    """The same for who reads all of them."""

    def __init__(self, listed: ListedMedia) -> None:
        self._listed = listed

    def list(self, folder: str) -> Iterator[Upload]:
        for name, file in self._listed.files.items():
            if name.startswith(f"{folder}/"):
                yield Upload(name, file.size, file.changed_ns)

    def save(self, name: str, path: Path) -> None:
        self._listed.save(name, self._listed.files[name], path)


class UploadedMedia:
    """All of the storage that machines share uploads in."""

    is_near = False

    def __init__(self, objects: "ObjectStore") -> None:
        self._objects = objects

    def find(self, name: str) -> MediaFile | None:
        found = MediaStorage(self._objects).find(name)
        return found and MediaFile(found.size, "", found.changed_ns)

    def save(self, name: str, file: MediaFile, path: Path) -> None:
        self._objects.save(name, path)

    def read(self, name: str, file: MediaFile, start: int, end: int) -> bytes:
        return self._objects.get_range(name, start, end)


def read_lists(folder: Path, known: Mapping[str, MediaFiles] | None = None) -> dict[str, MediaFiles]:
    """The lists in a folder, by name; those ``known`` are not read again. One that is damaged is removed: the follower
    fetches it once more."""
    known, lists = known or {}, {}
    for path in sorted(folder.glob("*.json")):
        try:
            lists[path.name] = known.get(path.name) or unpack_list(path.name, path.read_bytes())
        except BuildError:
            path.unlink(missing_ok=True)
        except FileNotFoundError:
            continue
    return lists


def join_lists(lists: Mapping[str, MediaFiles]) -> dict[str, MediaFile]:
    """What they say together."""
    return {name: file for _, files in sorted(lists.items()) for name, file in files.items()}


def digest_of_file(path: Path) -> str:
    """As ``store.digest_of`` has it, of a file of any size."""
    digest = sha256()
    with path.open("rb") as file:
        while part := file.read(1 << 20):
            digest.update(part)
    return digest.hexdigest()[:32]


@contextmanager
def _alone(place: Path, wait: bool) -> Iterator[Path | None]:
    """A file to write into before it is moved to ``place``; none where another process has it. What a killed process left is
    taken over."""
    make_folder(place.parent)
    part = place.with_name(f".{place.name}~")
    lock = os.open(part, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
    try:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX if wait else fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            yield None
            return
        try:
            yield part
        except BaseException:
            part.unlink(missing_ok=True)
            raise
        part.unlink(missing_ok=True)
    finally:
        os.close(lock)
