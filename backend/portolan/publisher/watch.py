"""The long-lived publisher: each change that is committed goes live, and no failure ends it."""

import time
from collections.abc import Callable, Hashable
from contextlib import suppress
from pathlib import Path
from typing import Final

from ..builds.live import read_live
from ..builds.manifest import BuildError, list_builds
from ..releases.reader import ReleaseReader
from .lock import publish_lock
from .outcome import read_outcome, write_outcome
from .problem import ContentError, UsageError
from .publish import Publisher, Summary

_RETRY_PAUSES_S: Final = (5, 10, 30, 60, 300)

Log = Callable[[str], None]


class Watch:
    """Publishes what is new, round by round. The caller waits between rounds, and decides when it is woken.

    ``open_publisher`` makes a publisher for the registry and web build as they are now, ``inputs_stamp`` tells whether
    these are still the same, ``freeze`` makes a release of what is pending, if anything is.
    """

    def __init__(
        self,
        builds: Path,
        reader: ReleaseReader,
        open_publisher: Callable[[], Publisher],
        inputs_stamp: Callable[[], Hashable],
        freeze: Callable[[], None],
        log: Log,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._builds = builds
        self._reader = reader
        self._open_publisher = open_publisher
        self._inputs_stamp = inputs_stamp
        self._freeze = freeze
        self._log = log
        self._clock = clock
        self._publisher: Publisher | None = None
        self._stamp: Hashable = None
        self._done: int | None = None
        self._failures = 0
        self._retry_at = 0.0
        self._said = ""

    def round(self, woken: bool) -> Summary | None:
        """Publish, if there is anything new. None where there was nothing, or it failed: then it is tried again later."""
        if not woken and self._clock() < self._retry_at:
            return None
        try:
            summary = self._round()
        except Exception as error:  # whatever it is, the sites stay as they are and the next round may succeed
            self._note_failure(error)
            return None
        self._failures, self._retry_at, self._said = 0, 0.0, ""
        return summary

    def close(self) -> None:
        if self._publisher:
            self._publisher.close()
            self._publisher = None

    def _round(self) -> Summary | None:
        started = self._clock()
        self._freeze()
        frozen = self._clock()
        newest = self._reader.latest()
        stamp = self._inputs_stamp()
        if newest is None:
            return None
        if self._publisher is None or stamp != self._stamp:
            first = self._publisher is None and self._done is None
            self.close()
            self._publisher, self._stamp = self._open_publisher(), stamp
            self._done = newest if first and self._is_held(newest) else None
        if newest == self._done:
            self._note_recovery(newest)
            return None
        with publish_lock(self._builds):
            summary = self._publisher.publish()
        self._done = newest
        self._log(_line(summary, frozen - started, self._clock() - started))
        return summary

    def _note_recovery(self, newest: int) -> None:
        """What failed was not the publish itself: it works again, and there is nothing new."""
        if self._failures and (outcome := read_outcome(self._builds)) and outcome.failure:
            write_outcome(self._builds, newest)

    def _is_held(self, newest: int) -> bool:
        """Whether an operator put an earlier build live on purpose: only something new replaces that."""
        with suppress(BuildError):
            for site, build in read_live(self._builds).items():
                builds = list_builds(self._builds, site)
                if builds and builds[0].build != build and builds[0].release >= newest:
                    return True
        return False

    def _note_failure(self, error: Exception) -> None:
        self._failures += 1
        self._retry_at = self._clock() + _RETRY_PAUSES_S[min(self._failures, len(_RETRY_PAUSES_S)) - 1]
        known = isinstance(error, ContentError | UsageError | BuildError)
        said = str(error) if known else f"Publishing failed, the sites stay as they are: {error!r}. It is tried again."
        if said != self._said:
            self._log(said)
            self._said = said
        if not isinstance(error, ContentError):  # content's problems are written where they are found
            with suppress(OSError):  # the disk may be what failed
                write_outcome(self._builds, 0, failure=said)
        if not known:
            self.close()  # whatever its state is now, the next round starts from the disk


def _line(summary: Summary, freeze_s: float, whole_s: float) -> str:
    sites = [
        f"{site.site} {site.rendered} rendered{f', {site.deleted} deleted' if site.deleted else ''}"
        for site in summary.sites
        if site.is_new
    ]
    times = f"{whole_s * 1000:.0f} ms (freeze {freeze_s * 1000:.0f}, publish {summary.seconds * 1000:.0f})"
    return f"release {summary.release} live in {times}: {'; '.join(sites) or 'nothing differs'}"
