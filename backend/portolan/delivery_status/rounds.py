"""When sites are asked for a release while nobody looks: soon and often at first, then ever more rarely, and not for ever."""

from datetime import timedelta
from typing import Final

LATE_AFTER: Final = timedelta(minutes=5)
"""A release that is not verified for so long is said to be so."""
GIVEN_UP_AFTER: Final = timedelta(days=1)
_LEAST: Final = timedelta(seconds=2)
_MOST: Final = timedelta(minutes=10)


def pause_before_next(age: timedelta) -> timedelta | None:
    """Until sites are asked again for a release of this age. None: it is given up."""
    if age >= GIVEN_UP_AFTER:
        return None
    return min(max(age / 4, _LEAST), _MOST)
