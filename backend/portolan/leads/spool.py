"""Store leads on disk while the database is unavailable: one file each, in their order, synced before the reply.

    spool/<nanoseconds>-<submission>.json    a waiting lead; its files are in their final folder
    spool/<…>.bad                            a rejected lead; to try again, rename it to *.json

Replaying a lead twice stores it once, so a replay may be interrupted at any point.
"""

import fcntl
import hashlib
import json
import logging
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import datetime
from pathlib import Path
from typing import Final

from ..builds.disk import make_folder, sync_folder, write_whole
from ..releases.database_errors import find_trouble
from .durable import ABOUT_THE_ROW, AWAY, explain_failure
from .file_store import FileStore
from .files_away import FilesAway
from .models import Answer
from .outbox import wake_worker
from .records import Intake, store_intake
from .refusals import KEY_REUSED, LeadRefused
from .repeats import REPEATED_WITHIN, Overtaken, Submission

_MODE: Final = 0o600
_BAD: Final = ".bad"
_MOST_IN_VAIN: Final = 20
"""Most failures in a row before a replay stops. A damaged database page affects only some leads."""

_log = logging.getLogger(__name__)


class Spool:
    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def put(self, intake: Intake) -> bytes:
        """Store the lead on disk, and return its reply; a repeat gets the first one.

        Raise LeadRefused if the submission's name was used for another form, OSError if the disk fails.
        """
        with self._alone():
            first = self.find(intake.submission, intake.received_at)
            if first is not None:
                return first.receipt
            name = f"{time.time_ns():020d}-{_digest(intake.submission.key)}.json"
            write_whole(str(self._folder / name), intake.to_json(), _MODE, durable=True)
            sync_folder(self._folder)
        return intake.receipt

    def find(self, submission: Submission, now: datetime) -> Intake | None:
        """Return the same submission if it is in the spool. Raise LeadRefused if its name was used for another form.

        A partial submission counts as another one and stays. Both are stored later, in their order.
        """
        for path in reversed(self.list()):
            if not path.stem.endswith(_digest(submission.key)):
                continue
            try:
                found = Intake.from_json(path.read_bytes())
            except FileNotFoundError:  # replayed meanwhile
                return None
            if not submission.is_named and now - found.received_at > REPEATED_WITHIN:
                return None
            if found.submission.fingerprint == submission.fingerprint:
                return found
            if found.submission.is_begun:
                return None
            if submission.is_begun:
                return found
            raise LeadRefused(KEY_REUSED)
        return None

    def list(self) -> list[Path]:
        """Return the waiting leads, oldest first."""
        try:
            return sorted(path for path in self._folder.iterdir() if path.suffix == ".json")
        except FileNotFoundError:
            return []

    def count(self) -> int:
        """Return the number of leads in the spool, including unreadable ones."""
        with suppress(FileNotFoundError):
            return sum(path.suffix in (".json", _BAD) for path in self._folder.iterdir())
        return 0

    def lead_ids(self) -> set[str]:
        """Return the ids of readable leads in the spool, whose files must be kept."""
        ids = set()
        for path in self.list():
            try:
                ids.add(str(json.loads(path.read_bytes())["lead"]["id"]))
            except (OSError, ValueError, KeyError, TypeError):
                continue
        return ids

    def remove(self, path: Path) -> None:
        path.unlink(missing_ok=True)
        sync_folder(self._folder)

    def put_aside(self, path: Path) -> None:
        path.rename(path.with_suffix(_BAD))
        sync_folder(self._folder)

    @contextmanager
    def replaying(self) -> Iterator[bool]:
        """Lock the replay. Yield False if another process has the lock, or the spool is empty."""
        if not self.list():
            yield False
            return
        with (self._folder / ".replay").open("w") as lock:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                yield False
                return
            yield True

    @contextmanager
    def _alone(self) -> Iterator[None]:
        if not self._folder.is_dir():
            make_folder(self._folder)
            self._folder.chmod(0o700)
        with (self._folder / ".put").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            yield


def open_spool(leads: Path) -> Spool:
    return Spool(leads / "spool")


def replay_spool(store: FileStore) -> int:
    """Store the waiting leads in their order, and return their number.

    Stop if the database is unavailable. A lead that cannot be stored waits if part of the database is
    damaged, and is set aside if only its own values are rejected.
    """
    spool = open_spool(store.root)
    stored = in_vain = 0
    with spool.replaying() as may:
        for path in spool.list() if may else ():
            try:
                stored += _replay(path, store)
            except FilesAway as error:
                _log.warning("Leads wait in the spool: %s", error)
                break
            except OSError:
                raise
            except ABOUT_THE_ROW as error:
                _put_aside(path, error, spool)
            except AWAY as error:
                in_vain += 1
                if in_vain == 1:
                    _log.warning("Leads wait in the spool. %s", explain_failure(error))
                trouble = find_trouble(error)
                if (trouble and trouble.is_away) or in_vain >= _MOST_IN_VAIN:
                    break
            except Exception as error:
                _put_aside(path, error, spool)
            else:
                spool.remove(path)
                in_vain = 0
    if stored:
        _log.info("%s leads of the spool are stored", stored)
        wake_worker()
    return stored


def _put_aside(path: Path, error: Exception, spool: Spool) -> None:
    _log.error("%s cannot be stored, and was renamed to *.bad: %s", path.name, explain_failure(error))
    spool.put_aside(path)


def _replay(path: Path, store: FileStore) -> int:
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        return 0
    intake = Intake.from_json(data)
    files = [str(file["path"]) for file in intake.files]
    store.hand_over(files)
    stored = _store(intake)
    store.forget(files)
    return stored


def _store(intake: Intake) -> int:
    try:
        store_intake(intake, was_promised=True)
    except Overtaken:
        first = Answer.objects.get(pk=intake.submission.key)
        if first.fingerprint == intake.submission.fingerprint or intake.submission.is_begun:
            return 0  # stored already: by an interrupted replay, an earlier repeat, or the complete form
        # Its name was used for another form, which only the database could detect.
        intake.submission = intake.submission._replace(key=f"lead:{intake.lead['id']}")
        with suppress(Overtaken):
            store_intake(intake, was_promised=True)
    return 1


def _digest(key: str) -> str:
    return hashlib.sha256(key.encode()).hexdigest()[:32]
