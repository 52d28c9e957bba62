"""Store the files of leads under generated names, outside all served folders, readable by their owner only.

    incoming/<random>/      files of an unfinished request; removed at its end
    files/<day>/<lead id>/  files of a stored lead
    spool/                  leads that wait for the database (leads.spool)

If machines share a storage (``shared_files``), it has the files of leads in the database. Files of leads in the spool
are on this machine.
"""

import os
import secrets
import shutil
import time
from collections.abc import Collection, Iterable, Iterator
from contextlib import contextmanager, suppress
from datetime import date
from pathlib import Path
from typing import BinaryIO, Final

from ..builds.disk import make_folder, sync_file, sync_folder
from .files_away import FilesAway
from .shared_files import SharedFile, SharedFiles

_FILE_MODE: Final = 0o600
_FOLDER_MODE: Final = 0o700
STRAY_AFTER_S: Final = 3600
"""Longer than any request takes."""


class FileStore:
    """The files of all leads, below ``root``."""

    def __init__(self, root: Path, shared: SharedFiles | None = None) -> None:
        self.root = root
        self._shared = shared
        self._incoming = root / "incoming"
        self._files = root / "files"

    @contextmanager
    def receive(self) -> Iterator["IncomingFiles"]:
        """Yield a folder for the files of one request. Files that are not committed are removed after the block."""
        incoming = IncomingFiles(self._incoming, self._files, self._shared)
        try:
            yield incoming
        finally:
            incoming.discard()

    def path(self, relative: str) -> Path | SharedFile:
        """Return a file by the name that ``IncomingFiles.keep`` returned."""
        path = self._files / relative
        return path if self._shared is None or path.exists() else SharedFile(self._shared, relative)

    def hand_over(self, names: Iterable[str]) -> None:
        """Move local files to the shared storage. Raise FilesAway."""
        for name in names:
            if self._shared and (self._files / name).exists():
                self._shared.put(name, self._files / name)

    def forget(self, names: Iterable[str]) -> None:
        """Remove local copies of files in the shared storage, after their lead is stored."""
        for name in names if self._shared else ():
            self._remove_here(name)

    def remove(self, relative: str) -> None:
        """Remove one file for good, and its folder if empty. A missing file is no error. Raise FilesAway."""
        if self._shared:
            self._shared.remove(relative)
        self._remove_here(relative)

    def _remove_here(self, relative: str) -> None:
        path = self._files / relative
        path.unlink(missing_ok=True)
        if path.parent.is_dir():
            sync_folder(path.parent)
            if not any(path.parent.iterdir()):
                path.parent.rmdir()

    def remove_strays(
        self, known: Collection[str], waiting: Collection[str], days: Collection[date], now: float | None = None
    ) -> int:
        """Remove files that killed processes left, if they are older than an hour.

        These are files of unfinished requests, and files of leads outside the database (``known``) and the spool
        (``waiting``). A shared storage has the files of known leads.
        """
        here = waiting if self._shared else {*known, *waiting}
        before = (time.time() if now is None else now) - STRAY_AFTER_S
        candidates = [*_children(self._incoming)]
        for day in days:
            candidates += [folder for folder in _children(self._files / day.isoformat()) if folder.name not in here]
        strays = [folder for folder in candidates if _changed_at(folder) < before]
        for folder in strays:
            shutil.rmtree(folder, ignore_errors=True)
        return len(strays) + self._remove_shared_strays({*known, *waiting}, days, before)

    def _remove_shared_strays(self, known: Collection[str], days: Collection[date], before: float) -> int:
        count = 0
        for lead, names, changed in self._shared.find_folders(days) if self._shared else ():
            if lead not in known and changed.timestamp() < before:
                for name in names:
                    self.remove(name)
                count += 1
        return count


class IncomingFiles:
    """Files of one request, in a folder that is created with the first file."""

    def __init__(self, incoming: Path, files: Path, shared: SharedFiles | None = None) -> None:
        self._incoming = incoming
        self._files = files
        self._shared = shared
        self._folder: Path | None = None
        self._handed: list[str] = []

    def create(self) -> tuple[BinaryIO, Path]:
        """Return a new empty file, open for writing, and its path."""
        if self._folder is None:
            _make_private_folder(self._incoming)
            folder = self._incoming / secrets.token_hex(16)
            folder.mkdir(mode=_FOLDER_MODE)
            self._folder = folder
        path = self._folder / secrets.token_hex(16)
        file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, _FILE_MODE)
        return os.fdopen(file, "wb"), path

    def keep(self, lead: str, day: date) -> str:
        """Move the files to the lead's folder, and return its name. They are on disk when this returns."""
        relative = f"{day.isoformat()}/{lead}"
        if self._folder is None:
            return relative
        for file in self._folder.iterdir():
            sync_file(file)
        sync_folder(self._folder)
        target = self._files / relative
        _make_private_folder(target.parent)
        self._folder.rename(target)
        self._folder = target
        sync_folder(target.parent)
        return relative

    def hand_over(self) -> None:
        """Copy the kept files to the shared storage, before the lead is stored. Raise FilesAway."""
        if self._shared is None or self._folder is None:
            return
        for file in sorted(self._folder.iterdir()):
            name = file.relative_to(self._files).as_posix()
            self._handed.append(name)
            self._shared.put(name, file)

    def commit(self) -> None:
        """Keep the files, here or in the shared storage, because the lead is stored."""
        if self._handed and self._folder:
            shutil.rmtree(self._folder, ignore_errors=True)
        self._handed = []
        self._folder = None

    def leave(self) -> None:
        """Keep the files: the lead is in the spool, or may be stored. ``FileStore.remove_strays`` decides later."""
        self._handed = []
        self._folder = None

    def discard(self) -> None:
        """Remove files that are not committed."""
        for name in self._handed:
            assert self._shared
            with suppress(FilesAway):  # `remove_strays` removes them later
                self._shared.remove(name)
        self._handed = []
        if self._folder is not None:
            shutil.rmtree(self._folder, ignore_errors=True)
            self._folder = None


def _make_private_folder(folder: Path) -> None:
    if not folder.is_dir():
        make_folder(folder)
        for private in (folder, folder.parent):
            private.chmod(_FOLDER_MODE)


def _children(folder: Path) -> list[Path]:
    try:
        return list(folder.iterdir())
    except FileNotFoundError:
        return []


def _changed_at(folder: Path) -> float:
    try:
        return folder.stat().st_mtime
    except FileNotFoundError:  # removed by its own request meanwhile
        return time.time()
