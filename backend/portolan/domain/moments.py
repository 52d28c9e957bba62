"""Describe when something is shown, and format moments for commands and logs."""

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Final

from .words import Translate, mark, plain

_OVER: Final = mark("over")
_NOW: Final = mark("now")
_UNTIL: Final = mark("until {end}")
_FROM: Final = mark("from {start}")
_FROM_UNTIL: Final = mark("from {start} until {end}")


def stamp(at: datetime | str) -> str:
    """Return a moment as commands, logs and mails to operators write it: in UTC on every machine.

    ``at`` is a datetime with a zone, or one in ISO format; any other text is returned as it is.

    >>> stamp("2026-11-27T14:18:11.5+01:00"), stamp("unknown")
    ('2026-11-27 13:18:11 UTC', 'unknown')
    """
    try:
        moment = datetime.fromisoformat(at) if isinstance(at, str) else at
    except ValueError:
        return str(at)
    return f"{moment.astimezone(UTC):%Y-%m-%d %H:%M:%S} UTC"


def say_shown(
    since: datetime | None,
    until: datetime | None,
    now: datetime,
    zone: str,
    say: Callable[[datetime, str], str],
    translate: Translate = plain,
) -> str:
    """Return when something is shown, as far as that is in the future.

    ``since``, ``until``: None means at once and for ever.
    """
    if until is not None and until <= now:
        return translate(_OVER)
    end = say(until, zone) if until is not None else ""
    if since is not None and since > now:
        return translate(_FROM_UNTIL if end else _FROM).format(start=say(since, zone), end=end)
    return translate(_UNTIL).format(end=end) if end else translate(_NOW)
