"""Finds the records whose retention time is over, and whether a person has to confirm that they go."""

from datetime import datetime
from typing import Final, NamedTuple

from ..retention.check import doubt, note_doubt, note_seen
from .models import ConsentRecord

SUBJECT: Final = "consent records"


class Overdue(NamedTuple):
    before: datetime
    records: int
    doubt: str
    """Why a person has to confirm, as the end of a sentence; empty if nobody has to."""


def find_overdue(before: datetime, now: datetime) -> Overdue:
    records = ConsentRecord.objects.all()
    count = records.filter(made_at__lt=before).count()
    return Overdue(before, count, doubt(SUBJECT, count, records.count() if count else 0, now))


def note_refusal(overdue: Overdue) -> None:
    note_doubt(SUBJECT, overdue.records, overdue.doubt)


def remove_overdue(overdue: Overdue, now: datetime, is_confirmed: bool) -> int:
    """Returns how many records that were."""
    count = ConsentRecord.objects.all().purge(overdue.before)
    note_seen(SUBJECT, now, is_confirmed)
    return count
