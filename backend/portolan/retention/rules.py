"""A clock that is wrong must not erase everything."""

from datetime import datetime, timedelta
from typing import Final

from django.utils.translation import gettext

MOST_UNASKED: Final = 10
"""Up to this number go without asking, whatever their share of all."""
LARGEST_PART: Final = 5
"""More than a fifth of all at once needs a confirmation."""
LONGEST_UNSEEN: Final = timedelta(days=31)
"""If the clock has advanced by more since it was last looked at, it may be wrong."""


def has_jumped(now: datetime, seen: datetime | None) -> bool:
    """``seen``: the highest time at which retention was looked at without a doubt; None if it never was."""
    return seen is not None and now - seen > LONGEST_UNSEEN


def run_safety_check(count: int, total: int, now: datetime, seen: datetime | None) -> str:
    """Why a person has to confirm that ``count`` of ``total`` go, as the end of a sentence; empty if nobody has to."""
    if not count:
        return ""
    if seen is not None and has_jumped(now, seen):
        return gettext("the clock says {now:%Y-%m-%d}, and it was {seen:%Y-%m-%d} when this was last looked at").format(
            now=now, seen=seen
        )
    if count > MOST_UNASKED and count * LARGEST_PART > total:
        return gettext("they are {count} of all {total}").format(count=count, total=total)
    return ""
