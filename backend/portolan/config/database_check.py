"""Check the whole database in the background.

The check takes seconds, so one process runs it every hour and writes the result to a file for the others.
"""

import json
import logging
import threading
from datetime import UTC, datetime
from pathlib import Path
from typing import Final, NamedTuple
from urllib.parse import urlsplit

from ..builds.disk import write_whole

_EVERY_S: Final = 3600

_log = logging.getLogger(__name__)


class Checked(NamedTuple):
    """The result of this machine's last check."""

    damage: str
    """Description of the damage; empty if there is none."""
    since: str
    """ISO time when the damage was found, or when the check was made."""
    file: int
    """Inode of SQLite's file. A different file, such as a restored one, is not checked yet."""


def check_file(var_dir: Path) -> Path:
    return var_dir / "database-check.json"


def read_checked(var_dir: Path, url: str) -> Checked | None:
    """Return the last result, or ``None`` if the present database is not checked yet."""
    try:
        checked = Checked(**json.loads(check_file(var_dir).read_bytes()))
        return checked if checked.file == _inode(url) else None
    except (OSError, ValueError, TypeError):
        return None


def check_database(var_dir: Path, url: str) -> Checked:
    """Check the database now, write the result, and log damage once."""
    from ..releases.database_damage import find_damage  # here, because the edge runs without its driver

    before, damage = read_checked(var_dir, url), find_damage(url)
    since = datetime.now(UTC).isoformat(timespec="seconds")
    if before and before.damage and damage:
        since = before.since
    elif damage:
        _log.error("The database is damaged (%s). Run `portolan doctor` for the fix.", damage)
    checked = Checked(damage, since, _inode(url))
    write_whole(str(check_file(var_dir)), json.dumps(checked._asdict()).encode() + b"\n", 0o600)
    return checked


class DatabaseCheck(threading.Thread):
    """Checks at the start and every hour."""

    def __init__(self, var_dir: Path, url: str) -> None:
        super().__init__(name="database-check", daemon=True)
        self._var_dir = var_dir
        self._url = url
        self._ended = threading.Event()

    def stop(self) -> None:
        self._ended.set()  # without waiting for a running check, which only writes its result

    def run(self) -> None:
        while not self._ended.is_set():
            try:
                check_database(self._var_dir, self._url)
            except OSError as error:
                _log.error("The result of the database check could not be written (%s).", error)
            self._ended.wait(_EVERY_S)


def _inode(url: str) -> int:
    if urlsplit(url).scheme != "sqlite":
        return 0
    from ..releases.database_damage import sqlite_path

    file = sqlite_path(url)
    return file.stat().st_ino if file.exists() else 0
