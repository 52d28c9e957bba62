"""Check every removal of old data that cannot be restored.

If the clock may be wrong, or a large share would be removed at once, the data stays until a person confirms.
"""

import logging
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Max

from .models import RetentionCheck
from .rules import has_jumped, run_safety_check

_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Rule:
    """Data to remove. Only this module calls ``remove``, which removes the rows that ``count`` counts."""

    subject: str
    """Plural noun, as shown to people."""
    count: Callable[[], int]
    total: Callable[[], int]
    remove: Callable[[], int]
    """Removes the rows and returns their number."""


@dataclass(frozen=True)
class Overdue:
    count: int
    failed_check: str
    """Why a person has to confirm, as the end of a sentence; empty if the removal is safe."""


def find_trusted_time(subject: str) -> datetime | None:
    """Return the latest time at which this rule passed the safety check.

    A new rule uses the time of the other rules, so that it does not trust a clock that they rejected.
    """
    own = RetentionCheck.objects.filter(pk=subject).values_list("seen_at", flat=True).first()
    return own or RetentionCheck.objects.aggregate(at=Max("seen_at"))["at"]


def look(rule: Rule, now: datetime) -> Overdue:
    """Count overdue rows and run the safety check. Change nothing."""
    count = rule.count()
    return Overdue(count, run_safety_check(count, rule.total() if count else 0, now, find_trusted_time(rule.subject)))


def remove_overdue(rule: Rule, now: datetime, *, is_confirmed: bool = False) -> int:
    """Remove overdue rows and return their number.

    If the safety check fails, report it and remove nothing, unless a person has confirmed (``is_confirmed``).
    """
    overdue = look(rule, now)
    if overdue.failed_check and not is_confirmed:
        note_failed_check(rule, overdue)
        return 0
    count = rule.remove()
    note_seen(rule.subject, now, is_confirmed)
    return count


def note_failed_check(rule: Rule, overdue: Overdue) -> None:
    """Store the failed safety check. The studio's dashboard and `portolan doctor` show it until a person confirms."""
    RetentionCheck.objects.update_or_create(
        pk=rule.subject, defaults={"overdue": overdue.count, "doubt": overdue.failed_check}
    )
    _log.error(
        "The retention period of %s %s is over, but they were NOT removed: %s. Check the clock of this server and the "
        "retention period. To remove them, run `%s`.",
        overdue.count,
        rule.subject,
        overdue.failed_check,
        command_for(rule.subject),
    )


def note_seen(subject: str, now: datetime, is_confirmed: bool) -> None:
    """Store a passed safety check.

    The trusted time only rises, and jumps only after a person has confirmed. Otherwise a wrong clock would become
    trusted while no data is overdue.
    """
    seen = find_trusted_time(subject)
    if not is_confirmed and (has_jumped(now, seen) or (seen is not None and now < seen)):
        now = seen or now
    RetentionCheck.objects.update_or_create(pk=subject, defaults={"seen_at": now, "overdue": 0, "doubt": ""})


def list_failed_checks() -> list[RetentionCheck]:
    return list(RetentionCheck.objects.exclude(doubt="").order_by("subject"))


def command_for(subject: str) -> str:
    """Return the command that confirms and removes."""
    return f"portolan retention remove {subject.replace(' ', '-')}"
