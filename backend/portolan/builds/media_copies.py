"""This machine's copies of media that are kept elsewhere.

Each is complete or absent, and can be fetched again.
"""

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
"""A larger file is a video. It is fetched at the first request, and not before its page goes live."""


class MediaOrigin(Protocol):
    """The source of copies. Its methods may raise StoreAway."""

    is_near: bool
    """False if ``find`` needs the network."""

    def find(self, name: str) -> MediaFile | None:
        """Return the file, with an empty digest if it is unknown."""
        ...

    def save(self, name: str, file: MediaFile, path: Path) -> None:
        """Write the file to ``path``. Raise FileNotFoundError if it is gone."""
        ...

    def read(self, name: str, file: MediaFile, start: int, end: int) -> bytes:
        """Return the bytes from ``start`` up to, not including, ``end``.

        Raise FileNotFoundError if the file is gone.
        """
        ...


class MediaCopies:
    """Files by name in one folder. Several processes may write and read at once."""

    def __init__(self, folder: Path, others: Sequence[Path] = ()) -> None:
        """``others``: folders with the originals. Files there need no copy."""
        self.folder = folder
        self._others = others

    @property
    def folders(self) -> Sequence[Path]:
        """Return the folders to look in, in this order."""
        return (*self._others, self.folder)

    def has(self, name: str, file: MediaFile) -> bool:
        """Return True if the file is here in the state that ``file`` describes."""
        for folder in self._others:
            if os.path.isfile(folder / name):  # noqa: PTH113
                return True
        try:
            status = os.stat(self.folder / name)  # noqa: PTH116
        except (FileNotFoundError, NotADirectoryError):
            return False
        return (status.st_size, status.st_mtime_ns) == (file.size, file.changed_ns)

    def bring(self, origin: MediaOrigin, name: str, file: MediaFile, wait: bool = True) -> None:
        """Fetch the file if it is not here.

        Without ``wait``, leave it to a process that is fetching it already.

        Raise StoreAway, FileNotFoundError, or BuildError if the bytes are wrong.
        """
        place = self.folder / name
        with _temporary_file(place, wait) as part:
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
    """Media named by this machine's lists, from the shared store."""

    is_near = True

    def __init__(self, root: Path, objects: "ObjectStore") -> None:
        self._folder = lists_folder(root)
        self._objects = objects
        self._seen: tuple[int, int] | None = None
        self._lists: dict[str, MediaFiles] = {}
        self._files: MediaFiles = {}

    @property
    def files(self) -> MediaFiles:
        """Return the files of all lists, read again after a change."""
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
    """The media of ``ListedMedia`` for readers of all files."""

    def __init__(self, listed: ListedMedia) -> None:
        self._listed = listed

    def list(self, folder: str) -> Iterator[Upload]:
        for name, file in self._listed.files.items():
            if name.startswith(f"{folder}/"):
                yield Upload(name, file.size, file.changed_ns)

    def save(self, name: str, path: Path) -> None:
        self._listed.save(name, self._listed.files[name], path)


class UploadedMedia:
    """All media in the shared storage of uploads."""

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
    """Return the lists in a folder by name, reading only those not ``known``.

    A damaged list is removed, so that the follower fetches it again.
    """
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
    """Return the files of all lists. Later lists override earlier ones."""
    return {name: file for _, files in sorted(lists.items()) for name, file in files.items()}


def digest_of_file(path: Path) -> str:
    """Return ``store.digest_of`` for a file of any size."""
    digest = sha256()
    with path.open("rb") as file:
        while part := file.read(1 << 20):
            digest.update(part)
    return digest.hexdigest()[:32]


@contextmanager
def _temporary_file(place: Path, wait: bool) -> Iterator[Path | None]:
    """Yield a temporary file for ``place``, or None if another process has it.

    On success the caller moves it to ``place``. The remains of a killed process are taken over.
    """
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
