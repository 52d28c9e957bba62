"""Check sites after each release, even if its delivery status is not open.

It runs in the process that delivers leads, on one machine.
"""

import logging
import threading
from collections.abc import Callable
from contextlib import suppress
from datetime import datetime
from typing import Final

from django.conf import settings
from django.db import DatabaseError, InterfaceError, close_old_connections, connection
from django.utils import timezone

from ..builds.live import read_live
from ..builds.manifest import BuildError
from ..delivery_status.rounds import GIVEN_UP_AFTER, pause_before_next
from ..delivery_status.words import say_answer
from ..releases.lease import Taken, named_lease
from ..releases.models import Release
from ..releases.verifications import read_answers
from .delivery_status import ask_sites

_LEASE: Final = "receipts"
_LOOKS_EVERY_S: Final = 2.0
_WITHOUT_LEASE_S: Final = 15.0
_MOST_OPEN: Final = 20
"""The most releases to check, the newest ones. Later releases replace the pages of earlier ones."""

_log = logging.getLogger(__name__)


class Verifier:
    """Checks open releases. Call ``look`` repeatedly."""

    def __init__(self, ask: Callable[[int], bool] = ask_sites, clock: Callable[[], datetime] = timezone.now) -> None:
        """``ask`` checks the sites of a release and returns whether its status is final."""
        self._ask = ask
        self._clock = clock
        self._shown: dict[str, int] = {}
        self._open: dict[int, datetime] = {}
        """Time of the next check, by release."""
        self._made: dict[int, datetime] = {}
        self._known = 0
        """The newest release that was ever open."""

    def look(self) -> None:
        """Check the release that has waited longest. Reads little if nothing is open."""
        self._find_new()
        now = self._clock()
        due = [number for number, at in self._open.items() if at <= now]
        if due:
            self._ask_for(min(due, key=lambda number: self._open[number]), now)

    def _find_new(self) -> None:
        try:
            shown = dict(read_live(settings.BUILDS_DIR).releases)
        except BuildError:  # the publisher reports it
            return
        if shown == self._shown:
            return
        newest = max(shown.values(), default=0)
        now = self._clock()
        rows = Release.objects.filter(number__gt=self._known, number__lte=newest, created_at__gt=now - GIVEN_UP_AFTER)
        for number, made in rows.order_by("-number").values_list("number", "created_at")[:_MOST_OPEN]:
            self._open[number], self._made[number] = now, made
        for number in sorted(self._open)[:-_MOST_OPEN]:
            self._close(number)
        self._known, self._shown = max(newest, self._known), shown

    def _ask_for(self, number: int, now: datetime) -> None:
        if self._ask(number):
            self._close(number)
            return
        pause = pause_before_next(now - self._made[number])
        if pause is None:
            _log.warning("Release %s was not verified. No further tries: %s", number, _say_why(number))
            self._close(number)
        else:
            self._open[number] = now + pause

    def _close(self, number: int) -> None:
        del self._open[number], self._made[number]


def _say_why(number: int) -> str:
    answers = sorted(read_answers(number).items())
    said = [f"{site}: {say_answer(row.verdict, row.path, row.why)}" for site, row in answers if row.verdict != "same"]
    return " ".join(said) or "no site was reached."


class VerifierThread:
    """Runs the verifier in a thread, on the machine that holds the lease."""

    def __init__(self, database: str) -> None:
        self._database = database
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._run, name="receipts", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        self._ended.set()
        self._thread.join()

    def _run(self) -> None:
        while not self._ended.is_set():
            with suppress(Taken), named_lease(self._database, _LEASE) as is_held:
                self._verify(is_held)
            self._ended.wait(_WITHOUT_LEASE_S)
        connection.close()

    def _verify(self, is_held: Callable[[], bool]) -> None:
        verifier = Verifier()
        while not self._ended.wait(_LOOKS_EVERY_S) and is_held():
            try:
                close_old_connections()
                verifier.look()
            except (DatabaseError, InterfaceError) as error:
                _log.warning("Releases cannot be verified (%s)", type(error).__name__)
                return
            except Exception:  # the next look may succeed
                _log.exception("A release could not be verified")
                return
