"""Intervals of background requests for a release, which grow and end."""

from datetime import timedelta
from typing import Final

LATE_AFTER: Final = timedelta(minutes=5)
"""A release is reported as late if it is not verified within this time."""
GIVEN_UP_AFTER: Final = timedelta(days=1)
_LEAST: Final = timedelta(seconds=2)
_MOST: Final = timedelta(minutes=10)


def pause_before_next(age: timedelta) -> timedelta | None:
    """Return the pause before a release's next requests, or None to stop."""
    if age >= GIVEN_UP_AFTER:
        return None
    return min(max(age / 4, _LEAST), _MOST)
