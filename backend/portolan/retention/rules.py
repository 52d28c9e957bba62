"""Rules of the safety check before old data is removed, so that a wrong clock cannot erase everything."""

from datetime import datetime, timedelta
from typing import Final

from django.utils.translation import gettext

MOST_UNASKED: Final = 10
"""Up to this number is removed without confirmation, regardless of its share."""
LARGEST_PART: Final = 5
"""More than one fifth at once needs confirmation."""
LONGEST_UNSEEN: Final = timedelta(days=31)
"""If the clock has advanced by more since the last check, it may be wrong."""


def has_jumped(now: datetime, seen: datetime | None) -> bool:
    """Return True if the clock may be wrong. ``seen``: time of the last passed check, if any."""
    return seen is not None and now - seen > LONGEST_UNSEEN


def run_safety_check(count: int, total: int, now: datetime, seen: datetime | None) -> str:
    """Return why a person has to confirm the removal of ``count`` of ``total``, as the end of a sentence, or ""."""
    if not count:
        return ""
    if seen is not None and has_jumped(now, seen):
        return gettext("the clock shows {now:%Y-%m-%d}, but the last passed check was on {seen:%Y-%m-%d}").format(
            now=now, seen=seen
        )
    if count > MOST_UNASKED and count * LARGEST_PART > total:
        return gettext("{count} of {total} would be removed at once").format(count=count, total=total)
    return ""
