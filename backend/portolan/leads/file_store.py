"""Where the files of leads are stored: under generated names, outside of everything that is served, readable by their
owner only.

::

    incoming/<random>/      files of a request that is not finished; removed at its end
    files/<day>/<lead id>/  files of a stored lead
    spool/                  leads that wait for the database (leads.spool)
    retention               when the retention time was last checked (leads.retention)
"""

import os
import secrets
import shutil
import time
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from datetime import date
from pathlib import Path
from typing import BinaryIO, Final

from ..builds.disk import make_folder, sync_file, sync_folder

_FILE_MODE: Final = 0o600
_FOLDER_MODE: Final = 0o700
STRAY_AFTER_S: Final = 3600
"""No request takes this long."""


class FileStore:
    """The files of all leads, below ``root``."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self._incoming = root / "incoming"
        self._files = root / "files"

    @contextmanager
    def receive(self) -> Iterator["IncomingFiles"]:
        """A folder for the files of one request. Files that are not committed are removed after the block."""
        incoming = IncomingFiles(self._incoming, self._files)
        try:
            yield incoming
        finally:
            incoming.discard()

    def path(self, relative: str) -> Path:
        """The path of a file, by the name that ``IncomingFiles.keep`` returned."""
        return self._files / relative

    def remove(self, relative: str) -> None:
        """Remove one file for good, and its folder if it was the last one. It is no error if the file is gone
        already."""
        path = self.path(relative)
        path.unlink(missing_ok=True)
        if path.parent.is_dir():
            sync_folder(path.parent)
            if not any(path.parent.iterdir()):
                path.parent.rmdir()

    def remove_strays(self, known: Collection[str], days: Collection[date], now: float | None = None) -> int:
        """Remove what killed processes left: files of unfinished requests, and stored files whose lead is not among
        ``known``. Only what is older than an hour, so that no running request loses its files.
        """
        before = (time.time() if now is None else now) - STRAY_AFTER_S
        candidates = [*_children(self._incoming)]
        for day in days:
            candidates += [folder for folder in _children(self._files / day.isoformat()) if folder.name not in known]
        strays = [folder for folder in candidates if _changed_at(folder) < before]
        for folder in strays:
            shutil.rmtree(folder, ignore_errors=True)
        return len(strays)


class IncomingFiles:
    """Files of one request, in a folder of their own that is made with the first of them."""

    def __init__(self, incoming: Path, files: Path) -> None:
        self._incoming = incoming
        self._files = files
        self._folder: Path | None = None

    def create(self) -> tuple[BinaryIO, Path]:
        """A new empty file, open for writing, and where it is."""
        if self._folder is None:
            _make_private_folder(self._incoming)
            folder = self._incoming / secrets.token_hex(16)
            folder.mkdir(mode=_FOLDER_MODE)
            self._folder = folder
        path = self._folder / secrets.token_hex(16)
        file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, _FILE_MODE)
        return os.fdopen(file, "wb"), path

    def keep(self, lead: str, day: date) -> str:
        """Move the files to the lead's folder, and return its name. They are on the disk when this returns."""
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

    def commit(self) -> None:
        """The lead is stored, and its files stay."""
        self._folder = None

    def leave(self) -> None:
        """It is not known whether the lead was stored: ``FileStore.remove_strays`` decides later."""
        self._folder = None

    def discard(self) -> None:
        """Remove what is not committed."""
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
    except FileNotFoundError:  # its own request has removed it meanwhile
        return time.time()
