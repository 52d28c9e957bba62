"""When something goes live and expires, in words, and in whose time."""

from datetime import datetime
from zoneinfo import ZoneInfo


def say_time(at: datetime, zone: str) -> str:
    """The time that clocks in ``zone`` show at ``at`` (with offset); seconds only where there are any.

    >>> say_time(datetime.fromisoformat("2026-12-01T08:00Z"), "Europe/Berlin")
    '1 Dec 2026, 09:00'
    """
    there = at.astimezone(ZoneInfo(zone))
    return f"{there.day} {there:%b %Y, %H:%M}{f':{there:%S}' if there.second else ''}"


def say_shown(since: datetime | None, until: datetime | None, now: datetime, zone: str) -> str:
    """When something is shown that comes at ``since`` and goes at ``until`` (none: at once, never), as far as that is
    still to come."""
    if until is not None and until <= now:
        return "over"
    end = f"until {say_time(until, zone)}" if until is not None else ""
    if since is not None and since > now:
        return f"from {say_time(since, zone)} {end}".rstrip()
    return end or "now"
