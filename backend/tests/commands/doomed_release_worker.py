"""A release worker without Django that fails, waits and dies on request: ``doomed_release_worker.py FOLDER PUBLISHER
DESCRIPTOR``.
"""

import errno
import os
import signal
import socket
import sqlite3
import sys
import time
from datetime import date, datetime
from pathlib import Path
from typing import Final

from portolan.commands.release_worker import answer_requests
from portolan.releases.database_version import Migration, NewerDatabase, OlderDatabase
from portolan.releases.formats import NewerFormat
from portolan.releases.upgrade_lock import UpgradeIsAtWork

ERRORS: Final[list[Exception]] = [
    sqlite3.OperationalError("database is locked"),
    sqlite3.OperationalError("no such table: releases_release"),
    OlderDatabase([Migration("content", "0099_later")]),
    NewerDatabase([Migration("content", "0099_later")]),
    NewerFormat("page", 9),
    UpgradeIsAtWork(),
    OSError(errno.ENOSPC, "No space left on device", "/var/portolan/media"),
    FileNotFoundError(errno.ENOENT, "No such file or directory", "/nowhere"),
    RuntimeError("a bug of ours: “\udcff”\nin two lines"),
]


class DoomedReleaseWorker:
    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def run_schedule(self, now: datetime) -> list[str]:
        return [f"{os.getpid()}", now.isoformat()]

    def create_release(self, today: date) -> None:
        """Dies once in a folder, and always at the turn of a year."""
        died = self._folder / "died"
        if today.month == 1 or not died.exists():
            died.touch()
            os.kill(os.getpid(), signal.SIGKILL)
        (self._folder / "released").write_text(today.isoformat())

    def note_everything(self) -> None:
        """Receive messages until the end."""
        (self._folder / "noting").touch()
        while not (self._folder / "all").exists():
            time.sleep(0.01)

    def tidy(self, before: int | None) -> None:
        (self._folder / "tidied").write_text(str(before))

    def settle(self, request: int, problem: str) -> None:
        if problem == "wrapped":
            raise RuntimeError("as Django has it") from ERRORS[request]
        raise ERRORS[request]


if __name__ == "__main__":
    with socket.socket(fileno=int(sys.argv[3])) as link, link.makefile("rb") as received:
        received.readline()
        answer_requests(DoomedReleaseWorker(Path(sys.argv[1])), received, link.sendall)
