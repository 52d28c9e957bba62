"""Keep files of stored leads in a storage that machines share. Files of leads in the spool stay on their machine."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from datetime import date, datetime
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

from django.core.files.base import File
from django.core.files.storage import Storage

from .files_away import FilesAway


class SharedFile(NamedTuple):
    """A file with the methods of ``pathlib.Path`` that are needed. Raises FileNotFoundError or FilesAway."""

    files: "SharedFiles"
    name: str

    def open(self, mode: str = "rb") -> BinaryIO:
        return self.files.open(self.name)

    def read_bytes(self) -> bytes:
        with self.open() as file:
            return file.read()


class SharedFiles:
    """The storage, by names such as ``2026-03-01/<lead>/<file>``."""

    def __init__(self, storage: Storage) -> None:
        self._storage = storage

    def put(self, name: str, path: Path) -> None:
        """Store a file under exactly this name, and replace an existing one."""
        with _ask(), path.open("rb") as file:
            self._storage.delete(name)  # left by an interrupted try; Django would choose another name
            self._storage.save(name, File(file))

    def open(self, name: str) -> BinaryIO:
        with _ask():
            file: Any = self._storage.open(name, "rb")
            return file  # type: ignore[no-any-return]

    def remove(self, name: str) -> None:
        """Remove a file. A missing one is no error."""
        with _ask():
            self._storage.delete(name)

    def find_folders(self, days: Iterable[date]) -> Iterator[tuple[str, list[str], datetime]]:
        """Yield each lead of these days: its id, its file names, and the time of the last change."""
        for day in days:
            for lead in self._list(day.isoformat())[0]:
                names = [f"{day.isoformat()}/{lead}/{name}" for name in self._list(f"{day.isoformat()}/{lead}")[1]]
                with _ask():
                    times = [self._storage.get_modified_time(name) for name in names]
                if times:
                    yield lead, names, max(times)

    def _list(self, folder: str) -> tuple[list[str], list[str]]:
        try:
            with _ask():
                return self._storage.listdir(folder)
        except FileNotFoundError:
            return [], []


@contextmanager
def _ask() -> Iterator[None]:
    try:
        yield
    except FileNotFoundError:
        raise
    except Exception as error:  # each storage raises errors of its own library
        raise FilesAway(error) from None
