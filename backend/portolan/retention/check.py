"""Asks the rules with what the database knows, and notes what came of it."""

from datetime import datetime

from .models import RetentionCheck
from .rules import find_doubt, has_jumped


def read_seen(subject: str) -> datetime | None:
    return RetentionCheck.objects.filter(pk=subject).values_list("seen_at", flat=True).first()


def doubt(subject: str, count: int, total: int, now: datetime) -> str:
    """Notes nothing."""
    return find_doubt(count, total, now, read_seen(subject))


def note_doubt(subject: str, count: int, why: str) -> None:
    """The studio's first screen and `portolan doctor` say it until somebody has confirmed."""
    RetentionCheck.objects.update_or_create(pk=subject, defaults={"overdue": count, "doubt": why})


def note_seen(subject: str, now: datetime, is_confirmed: bool) -> None:
    """Nothing is in doubt. The time that was seen only rises, and over a jump only where a person has confirmed it: so a clock
    that is wrong while nothing is overdue is not believed later."""
    seen = read_seen(subject)
    if not is_confirmed and (has_jumped(now, seen) or (seen is not None and now < seen)):
        now = seen or now
    RetentionCheck.objects.update_or_create(pk=subject, defaults={"seen_at": now, "overdue": 0, "doubt": ""})


def list_doubts() -> list[RetentionCheck]:
    return list(RetentionCheck.objects.exclude(doubt="").order_by("subject"))
