"""Say when something goes live and expires, and write the moments of commands and logs."""

from collections.abc import Callable
from datetime import datetime
from typing import Final

from .words import Translate, mark, plain

_OVER: Final = mark("over")
_NOW: Final = mark("now")
_UNTIL: Final = mark("until {end}")
_FROM: Final = mark("from {start}")
_FROM_UNTIL: Final = mark("from {start} until {end}")


def stamp(at: datetime | str) -> str:
    """Return a moment as commands, logs and mails to operators write it: in this machine's time, with its zone.

    ``at`` is a datetime with a zone, or one in ISO format; any other text is returned as it is. Example:
    ``2026-11-27 14:18:11 CET``.
    """
    try:
        moment = datetime.fromisoformat(at) if isinstance(at, str) else at
    except ValueError:
        return str(at)
    return f"{moment.astimezone():%Y-%m-%d %H:%M:%S %Z}"


def say_shown(
    since: datetime | None,
    until: datetime | None,
    now: datetime,
    zone: str,
    say: Callable[[datetime, str], str],
    translate: Translate = plain,
) -> str:
    """When something is shown that comes at ``since`` and goes at ``until`` (none: at once, never), as far as that is
    still to come."""
    if until is not None and until <= now:
        return translate(_OVER)
    end = say(until, zone) if until is not None else ""
    if since is not None and since > now:
        return translate(_FROM_UNTIL if end else _FROM).format(start=say(since, zone), end=end)
    return translate(_UNTIL).format(end=end) if end else translate(_NOW)
