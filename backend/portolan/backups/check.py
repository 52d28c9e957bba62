"""Verify a backup: every stored byte, and the decrypted files if there is a key."""

import tempfile
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Final, TypeVar

from .catalogue import Backup, SavedFile, StoredFile
from .database import put_sqlite
from .keys import Keys
from .problem import BackupError
from .reading import Reading, fetch
from .target import Target

_AT_ONCE: Final = 8
_Given = TypeVar("_Given")


def check_backup(target: Target, backup: Backup, keys: Keys) -> list[str]:
    """Return a line for each problem. Without the key of an encrypted backup, only compare the stored bytes."""
    with tempfile.TemporaryDirectory() as folder:
        working = Path(folder)
        if backup.recipients and not keys.identities:
            return _each(lambda stored: _compare(target, stored, working), backup.files)
        reading = Reading(target, backup, keys, working)
        try:
            contents = reading.contents()
        except BackupError as error:
            return [str(error)]
        return _each(lambda file: _read(reading, file, working), contents.files)


def _each(work: Callable[[_Given], None], given: Iterable[_Given]) -> list[str]:
    def attempt(each: _Given) -> str:
        try:
            work(each)
        except BackupError as error:
            return str(error)
        return ""

    with ThreadPoolExecutor(_AT_ONCE, thread_name_prefix="backup") as threads:
        return [problem for problem in threads.map(attempt, given) if problem]


def _compare(target: Target, stored: StoredFile, working: Path) -> None:
    fetch(target, stored, working).unlink()


def _read(reading: Reading, file: SavedFile, working: Path) -> None:
    path = working / f"open-{file.key.rpartition('/')[2]}"
    try:
        reading.save(file, path)
        if file.area == "database" and file.is_packed:
            put_sqlite(path, working / "database")
    finally:
        path.unlink(missing_ok=True)
