"""Send each receiver one alert if an edit is late, and one when the cause is solved."""

import logging
from collections.abc import Callable, Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Final, NamedTuple

import orjson

from ..builds.disk import write_whole
from ..leads.destinations.base import DeliveryError
from .causes import NOT_OF_EDITS, Cause
from .receivers import Message, Receiver

_log = logging.getLogger(__name__)


class Known(NamedTuple):
    """The last known state of a cause."""

    key: str
    what: str
    fix: str
    since: datetime
    told: frozenset[str] = frozenset()
    """Receivers that got the alert."""


class _Pause(NamedTuple):
    failures: int
    until: datetime


_NO_PAUSE: Final = _Pause(0, datetime.min.replace(tzinfo=UTC))
_PAUSES_S: Final = (15, 60, 300)


class AlertWatch:
    """Call ``look`` repeatedly. Sent alerts are stored in a file, so that a restart repeats none."""

    def __init__(
        self,
        find: Callable[[], list[Cause]],
        receivers: Mapping[str, Receiver],
        file: Path,
        after_s: float,
        clock: Callable[[], datetime] = lambda: datetime.now(UTC),
    ) -> None:
        self._find = find
        self._receivers = receivers
        self._file = file
        self._after = timedelta(seconds=after_s)
        self._clock = clock
        self._known = _read(file)
        self._logged = {key for key, known in self._known.items() if known.told}
        self._pauses: dict[str, _Pause] = {}

    def look(self) -> None:
        """Find causes, and send alerts to receivers that have not got them."""
        now = self._clock()
        before = dict(self._known)
        causes = {cause.key: cause for cause in self._find()}
        for key, cause in causes.items():
            known = self._known.get(key)
            since = cause.since or (known.since if known else now)
            self._known[key] = Known(key, cause.what, cause.fix, since, known.told if known else frozenset())
        late = [
            each
            for key, each in self._known.items()
            if key in causes and (causes[key].is_urgent or now - each.since >= self._after)
        ]
        over = [each for each in self._known.values() if each not in late]
        self._log(late, over)
        for name, receiver in self._receivers.items():
            if now >= self._pauses.get(name, _NO_PAUSE).until:
                self._send_all(name, receiver, now, late, over)
        self._known = {key: each for key, each in self._known.items() if key in causes or each.told}
        if self._known != before:
            _write(self._file, self._known)

    def _log(self, late: list[Known], over: list[Known]) -> None:
        for known in late:
            if known.key not in self._logged:
                self._logged.add(known.key)
                begin = "Since" if known.key.startswith(NOT_OF_EDITS) else "An edit is waiting since"
                _log.error("%s %s: %s %s", begin, known.since.isoformat(), known.what, known.fix)
        for known in over:
            if known.key in self._logged:
                self._logged.discard(known.key)
                _log.warning("Solved: %s", known.what)

    def _send_all(self, name: str, receiver: Receiver, now: datetime, late: list[Known], over: list[Known]) -> None:
        """Send new and solved causes. After an error, pause this receiver for a while."""
        try:
            self._tell(receiver, "publish.late", now, new := [each for each in late if name not in each.told])
            self._note(new, lambda told: told | {name})
            self._tell(receiver, "publish.mended", now, old := [each for each in over if name in each.told])
            self._note(old, lambda told: told - {name})
        except DeliveryError as error:
            failures = self._pauses.get(name, _NO_PAUSE).failures
            if not failures:
                _log.error("The alert to %s could not be sent: %s It is retried.", name, error.reason)
            pause = _PAUSES_S[min(failures, len(_PAUSES_S) - 1)]
            self._pauses[name] = _Pause(failures + 1, now + timedelta(seconds=pause))
        else:
            self._pauses.pop(name, None)

    def _note(self, told: list[Known], change: Callable[[frozenset[str]], frozenset[str]]) -> None:
        for each in told:
            known = self._known[each.key]
            self._known[each.key] = known._replace(told=change(known.told))

    def _tell(self, receiver: Receiver, kind: str, now: datetime, about: list[Known]) -> None:
        if about:
            receiver.send(Message(kind, now, [Cause(each.key, each.what, each.fix, each.since) for each in about]))


def _read(file: Path) -> dict[str, Known]:
    """Return the stored causes; empty if the file is missing or damaged, so that alerts are sent again."""
    try:
        rows: list[dict[str, Any]] = orjson.loads(file.read_bytes())
        known = [
            Known(row["key"], row["what"], row["fix"], datetime.fromisoformat(row["since"]), frozenset(row["told"]))
            for row in rows
        ]
    except (OSError, ValueError, KeyError, TypeError):
        return {}
    return {each.key: each for each in known}


def _write(file: Path, known: Mapping[str, Known]) -> None:
    rows = [{**each._asdict(), "since": each.since.isoformat(), "told": sorted(each.told)} for each in known.values()]
    try:
        write_whole(str(file), orjson.dumps(rows), 0o600)
    except OSError as error:
        _log.error("Sent alerts could not be stored (%s). They may be sent again.", error)
