"""When something goes live and expires, in words, and in whose time."""

from collections.abc import Callable
from datetime import datetime
from typing import Final
from zoneinfo import ZoneInfo

from .words import Translate, mark, plain

_OVER: Final = mark("over")
_NOW: Final = mark("now")
_UNTIL: Final = mark("until {end}")
_FROM: Final = mark("from {start}")
_FROM_UNTIL: Final = mark("from {start} until {end}")


def say_time(at: datetime, zone: str) -> str:
    """The time that clocks in ``zone`` show at ``at`` (with offset); seconds only where there are any.

    >>> say_time(datetime.fromisoformat("2026-12-01T08:00Z"), "Europe/Berlin")
    '1 Dec 2026, 09:00'
    """
    there = at.astimezone(ZoneInfo(zone))
    return f"{there.day} {there:%b %Y, %H:%M}{f':{there:%S}' if there.second else ''}"


def say_shown(
    since: datetime | None,
    until: datetime | None,
    now: datetime,
    zone: str,
    translate: Translate = plain,
    say: Callable[[datetime, str], str] = say_time,
) -> str:
    """When something is shown that comes at ``since`` and goes at ``until`` (none: at once, never), as far as that is
    still to come."""
    if until is not None and until <= now:
        return translate(_OVER)
    end = say(until, zone) if until is not None else ""
    if since is not None and since > now:
        return translate(_FROM_UNTIL if end else _FROM).format(start=say(since, zone), end=end)
    return translate(_UNTIL).format(end=end) if end else translate(_NOW)
