"""Restore uploads into the storage that machines share.

The storage may have outlived the machine. Files that are equal stay. Missing files are added one by one,
so an interrupted restore continues, and they need not fit on this machine's disk at once. Different files are
replaced last, and only with ``--replace``.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from hashlib import file_digest
from pathlib import Path
from typing import Final, NamedTuple, TypeVar

from ..domain.words import say_count
from .catalogue import SavedFile
from .problem import BackupError
from .reading import Reading
from .uploads import Uploads

_AT_ONCE: Final = 8
_Found = TypeVar("_Found")


class Counts(NamedTuple):
    """Numbers of a backup's uploads, by their state in the storage."""

    storage: str
    missing: int
    equal: int
    different: int


class ReturningUploads:
    """The uploads of one backup. ``working``: a folder for files during the transfer. Methods raise BackupError."""

    def __init__(self, storage: Uploads, files: Sequence[SavedFile], reading: Reading, working: Path) -> None:
        """Read every byte of the files in the storage that have the uploads' names."""
        self._storage = storage
        self._reading = reading
        self._working = working
        sizes = {upload.name: upload.size for upload in storage.list()}
        there = [file for file in files if file.path in sizes]
        equal = _each(lambda file: sizes[file.path] == file.size and self._is_equal(file), there)
        self._missing = [file for file in files if file.path not in sizes]
        self._different = [file for file, is_equal in zip(there, equal, strict=True) if not is_equal]
        self.counts = Counts(storage.url, len(self._missing), equal.count(True), len(self._different))

    @property
    def replaces(self) -> bool:
        return bool(self._different)

    def require_equal(self) -> None:
        """Raise BackupError if files differ, for a restore without ``--replace``."""
        if self._different:
            names = ", ".join(file.path for file in self._different[:3]) + (" …" if self._different[3:] else "")
            differ = say_count(len(self._different), "file differs", "files differ")
            raise BackupError(
                f"In the upload storage {self._storage.url}, {differ} from the backup ({names}). They may be another "
                "installation's, or damaged. Nothing changed. Check PORTOLAN_MEDIA_STORAGE, or add --replace to use the "
                "backup's. The existing files are moved aside."
            )

    def fetch_different(self) -> None:
        """Fetch different files to this machine's disk, to verify the backup before it replaces them."""
        _each(lambda file: self._reading.save(file, self._place("new", file)), self._different)

    def add_missing(self) -> None:
        """Add missing files. After a failure, the storage has some of them, which nothing uses yet."""

        def add(file: SavedFile) -> None:
            with self._passing(file) as path:
                self._reading.save(file, path)
                self._storage.put(file.path, path)

        _each(add, self._missing)

    def replace_different(self, aside: Path) -> None:
        """Replace different files, after copying the existing ones below ``aside``."""
        for file in self._different:
            kept = aside / file.area / file.path
            kept.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            self._storage.save(file.path, kept)
        _each(lambda file: self._storage.put(file.path, self._place("new", file)), self._different)

    def _is_equal(self, file: SavedFile) -> bool:
        with self._passing(file) as path:
            self._storage.save(file.path, path)
            with path.open("rb") as there:
                return file_digest(there, "sha256").hexdigest() == file.sha256

    @contextmanager
    def _passing(self, file: SavedFile) -> Iterator[Path]:
        path = self._place("passing", file)
        try:
            yield path
        finally:
            path.unlink(missing_ok=True)

    def _place(self, purpose: str, file: SavedFile) -> Path:
        return self._working / f"{purpose}-{file.key.rpartition('/')[2]}"


def _each(work: Callable[[SavedFile], _Found], files: Iterable[SavedFile]) -> list[_Found]:
    with ThreadPoolExecutor(_AT_ONCE, thread_name_prefix="restore") as threads:
        return list(threads.map(work, files))
