"""Finds the leads whose retention time is over, and erases them unless a person has to confirm it."""

import logging
from datetime import datetime
from typing import Final, NamedTuple

from ..retention.check import doubt, note_doubt, note_seen, read_seen
from .erasure import find_older, purge
from .file_store import FileStore
from .models import Lead

SUBJECT: Final = "leads"
_log = logging.getLogger(__name__)


class Overdue(NamedTuple):
    """Leads whose time is over."""

    before: datetime
    leads: int
    doubt: str
    """Why a person has to confirm, as the end of a sentence; empty if nobody has to."""


def find_overdue(before: datetime, store: FileStore, now: datetime) -> Overdue:
    _take_over(store)
    count = find_older(before).count()
    total = Lead.objects.filter(erased_at=None).count() if count else 0
    return Overdue(before, count, doubt(SUBJECT, count, total, now))


def erase_overdue(overdue: Overdue, store: FileStore, now: datetime, is_confirmed: bool = False) -> int:
    """Returns how many leads that were."""
    count = purge(overdue.before, store) if overdue.leads else 0
    note_seen(SUBJECT, now, is_confirmed)
    return count


def erase_unless_in_doubt(before: datetime, store: FileStore, now: datetime) -> None:
    """Erases automatically. If a person has to confirm, it erases nothing and says so."""
    overdue = find_overdue(before, store, now)
    if overdue.doubt:
        note_doubt(SUBJECT, overdue.leads, overdue.doubt)
        _log.error(
            "%s leads are older than they are to become and were NOT erased: %s. Is the clock right, and "
            "PORTOLAN_LEADS_KEPT_MONTHS? If they are to go, run `portolan leads purge`, which asks once.",
            overdue.leads,
            overdue.doubt,
        )
        return
    erase_overdue(overdue, store, now)


def _take_over(store: FileStore) -> None:
    """Earlier versions kept the time in a file."""
    file = store.root / "retention"
    if file.exists() and read_seen(SUBJECT) is None:
        try:
            note_seen(SUBJECT, datetime.fromisoformat(file.read_text(encoding="ascii").strip()), is_confirmed=False)
        except ValueError:
            return
        finally:
            file.unlink(missing_ok=True)
