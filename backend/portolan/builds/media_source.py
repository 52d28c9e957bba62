"""Storage of uploads and the files made from them: a folder, or a shared store.

Names are paths below ``/media/``: ``pictures/<digest>/<file>``.
"""

import os
import re
import shutil
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple, Protocol

from ..domain.media_addresses import MEDIA, is_open, read_media_name

if TYPE_CHECKING:
    from .object_store import Listed, ObjectStore

_FOLDERS: Final = ("pictures", "videos", "documents")
"""Folders with files that pages show."""
_NAMED_BY_CONTENT: Final = re.compile(r"[a-z_]+/[0-9a-f]{16}/[^/]+")


class Upload(NamedTuple):
    """One file."""

    name: str
    size: int
    changed_ns: int
    """Time of the last change."""


class MediaSource(Protocol):
    """The methods raise StoreAway if a shared storage does not respond."""

    def has(self, name: str) -> bool: ...

    def find(self, name: str) -> Upload | None: ...

    def list(self, folder: str) -> Iterable[Upload]:
        """Return the files in a folder and below it."""
        ...

    def save(self, name: str, path: Path) -> None:
        """Write a copy to ``path``. Raise FileNotFoundError if the file does not exist."""
        ...

    def remove(self, names: Iterable[str]) -> None:
        """Remove files. Missing ones are ignored."""
        ...


class MediaFolder:
    """Media on this machine's disk."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._prefix = f"{folder}{os.sep}"

    def has(self, name: str) -> bool:
        return os.path.isfile(self._prefix + name)  # noqa: PTH113  (a fifth of Path's time, per image)

    def find(self, name: str) -> Upload | None:
        path = self.folder / name
        return _upload(name, path) if path.is_file() and not path.is_symlink() else None

    def list(self, folder: str) -> Iterator[Upload]:
        for path in (self.folder / folder).rglob("*"):
            if path.is_file() and not path.is_symlink():
                yield _upload(path.relative_to(self.folder).as_posix(), path)

    def save(self, name: str, path: Path) -> None:
        shutil.copyfile(self.folder / name, path)

    def remove(self, names: Iterable[str]) -> None:
        for name in names:
            path = self.folder / name
            path.unlink(missing_ok=True)
            if path.parent.is_dir() and not os.listdir(path.parent):  # noqa: PTH208
                path.parent.rmdir()


class MediaStorage:
    """Media in a shared storage.

    Files named by their content never change, so each is looked up only once.
    """

    def __init__(self, objects: "ObjectStore") -> None:
        self.objects = objects
        self._known: set[str] = set()
        self._is_listed = False

    def has(self, name: str) -> bool:
        if name in self._known:
            return True
        if read_media_name(name) is None:
            return False
        if not is_named_by_content(name):
            return self.find(name) is not None
        # The first publish needs all of them; later, each image has some dozen files.
        folders = [name.rpartition("/")[0]] if self._is_listed else _FOLDERS
        found = (upload.name for folder in folders for upload in self.list(folder))
        self._known.update(filter(is_named_by_content, found))
        self._is_listed = True
        return name in self._known

    def find(self, name: str) -> Upload | None:
        found = self.objects.find(name)
        return found and _listed(found)

    def list(self, folder: str) -> Iterator[Upload]:
        return map(_listed, self.objects.list(f"{folder}/"))

    def save(self, name: str, path: Path) -> None:
        self.objects.save(name, path)

    def remove(self, names: Iterable[str]) -> None:
        gone = list(names)
        self._known.difference_update(gone)
        self.objects.delete(gone)


def is_named_by_content(name: str) -> bool:
    """Return True if this name always has the same bytes."""
    return is_open(MEDIA + name) or _NAMED_BY_CONTENT.fullmatch(name) is not None


def _upload(name: str, path: Path) -> Upload:
    status = path.stat()
    return Upload(name, status.st_size, status.st_mtime_ns)


def _listed(found: "Listed") -> Upload:
    return Upload(found.key, found.size, int(found.changed.timestamp() * 1_000_000) * 1000)
