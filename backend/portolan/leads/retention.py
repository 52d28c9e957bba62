"""Finds the leads whose retention time is over, and decides whether a person has to confirm their erasure: a clock that
is wrong must not erase everything."""

import logging
from datetime import datetime, timedelta
from pathlib import Path
from typing import Final, NamedTuple

from ..builds.disk import write_whole
from .erasure import find_older, purge
from .file_store import FileStore
from .models import Lead

MOST_UNASKED: Final = 10
"""Up to this number are erased without asking, whatever their share of all leads."""
LARGEST_PART: Final = 5
"""Erasing more than a fifth of all leads at once needs a confirmation."""
LONGEST_UNSEEN: Final = timedelta(days=31)
"""If the clock has advanced by more since the last check, it may be wrong."""

_log = logging.getLogger(__name__)


class Overdue(NamedTuple):
    """Leads whose time is over."""

    before: datetime
    leads: int
    doubt: str
    """Why a person has to confirm, as the end of a sentence; empty if nobody has to."""


def find_overdue(before: datetime, store: FileStore, now: datetime) -> Overdue:
    count = find_older(before).count()
    total = Lead.objects.filter(erased_at=None).count() if count else 0
    return Overdue(before, count, find_doubt(count, total, now, _read_last(store)))


def find_doubt(count: int, total: int, now: datetime, last: datetime | None) -> str:
    """``last``: when retention last ran, by the same clock; None if it never did."""
    if not count:
        return ""
    if last is not None and now - last > LONGEST_UNSEEN:
        return f"the clock says {now:%Y-%m-%d}, and it was {last:%Y-%m-%d} when this was last looked at"
    if count > MOST_UNASKED and count * LARGEST_PART > total:
        return f"they are {count} of all {total}"
    return ""


def erase_overdue(overdue: Overdue, store: FileStore, now: datetime) -> int:
    """Returns how many leads that were."""
    count = purge(overdue.before, store) if overdue.leads else 0
    _note_last(store, now)
    return count


def erase_unless_in_doubt(before: datetime, store: FileStore, now: datetime) -> None:
    """Erases automatically. If a person has to confirm, it erases nothing and logs that."""
    overdue = find_overdue(before, store, now)
    if overdue.doubt:
        _log.error(
            "%s leads are older than they are to become and were NOT erased: %s. Is the clock right, and "
            "PORTOLAN_LEADS_KEPT_MONTHS? If they are to go, run `portolan leads purge`, which asks once.",
            overdue.leads,
            overdue.doubt,
        )
        return
    erase_overdue(overdue, store, now)


def _last_file(store: FileStore) -> Path:
    return store.root / "retention"


def _read_last(store: FileStore) -> datetime | None:
    try:
        return datetime.fromisoformat(_last_file(store).read_text(encoding="ascii").strip())
    except (OSError, ValueError):
        return None


def _note_last(store: FileStore, now: datetime) -> None:
    store.root.mkdir(mode=0o700, parents=True, exist_ok=True)
    write_whole(str(_last_file(store)), f"{now.isoformat()}\n".encode("ascii"), 0o600)
