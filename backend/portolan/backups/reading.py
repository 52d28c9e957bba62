"""Fetch files of a backup to this machine, and compare each with its digests."""

import os
from hashlib import file_digest
from pathlib import Path
from typing import IO

from .catalogue import Backup, Contents, SavedFile, StoredFile
from .keys import Keys, decrypt, require_fit
from .problem import BackupError
from .target import Target


class Reading:
    """One backup. ``working``: a folder for files during the transfer. Raises BackupError."""

    def __init__(self, target: Target, backup: Backup, keys: Keys, working: Path) -> None:
        """Raise BackupError if no key can decrypt the backup."""
        require_fit(keys, backup.recipients)
        self.backup = backup
        self._target = target
        self._keys = keys
        self._working = working
        self._stored = {file.key: file for file in (*backup.files, backup.contents)}

    def contents(self) -> Contents:
        path = self._working / "contents"
        try:
            with path.open("wb") as copy:
                self._open(self.backup.contents, copy)
            return Contents.model_validate_json(path.read_bytes())
        finally:
            path.unlink(missing_ok=True)

    def save(self, file: SavedFile, path: Path, mode: int = 0o600) -> None:
        """Write one file of the installation to ``path``."""
        path.touch(mode=mode)
        with path.open("wb") as copy:
            digest = self._open(self._stored[file.key], copy)
        os.utime(path, ns=(file.modified_ns, file.modified_ns))
        if digest != file.sha256:
            raise BackupError(
                f"{file.area}/{file.path} is damaged in {self._target.url}: it differs from the saved file."
            )

    def _open(self, stored: StoredFile, copy: IO[bytes]) -> str:
        got = fetch(self._target, stored, self._working)
        try:
            return decrypt(got, copy, self._keys, self.backup.recipients).sha256
        finally:
            got.unlink(missing_ok=True)


def fetch(target: Target, stored: StoredFile, working: Path) -> Path:
    """Return the stored object as a file. Raise BackupError if it is missing or damaged."""
    got = working / stored.key.rpartition("/")[2]
    try:
        target.save(stored.key, got)
        with got.open("rb") as file:
            if file_digest(file, "sha256").hexdigest() == stored.sha256:
                return got
        got.unlink()
    except FileNotFoundError:
        raise BackupError(f"{stored.key} is missing in {target.url}. This backup is incomplete.") from None
    raise BackupError(f"{stored.key} in {target.url} is damaged: its bytes differ from the written ones.")
