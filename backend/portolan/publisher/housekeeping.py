"""Idle work: better compressed copies, and removal of old builds."""

import logging
import time
from collections.abc import Callable, Collection
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Final

from ..builds.documents import remove_unoffered
from ..builds.live import read_live
from ..builds.manifest import BuildError, list_builds
from ..builds.media_source import MediaFolder, MediaSource
from ..builds.prune import prune
from ..builds.signing import NO_KEYS, Keys
from ..sites.retention import Retention
from .build_inputs import prune_inputs
from .compression import CompressionProcess
from .lock import prune_lock, publish_lock
from .problem import UsageError
from .retention import remove_left_sites

if TYPE_CHECKING:
    from .shared_builds import SharedBuilds

_PRUNE_EVERY_S: Final = 600

_log = logging.getLogger(__name__)


class Housekeeping:
    """Idle work of the long-lived publisher.

    Pruning during a publish would make the publish three times slower.
    """

    def __init__(
        self,
        builds: Path,
        media: Path | MediaSource,
        clock: Callable[[], float] = time.monotonic,
        shared: "SharedBuilds | None" = None,
        retention: Retention = Retention(),  # noqa: B008  (frozen)
        sites: Collection[str] | None = None,
        tidy_database: Callable[[], None] = lambda: None,
        keys: Keys = NO_KEYS,
        idle_work: bool = True,
        is_everything_live: Callable[[], bool] = lambda: True,
    ) -> None:
        """``sites``: configured sites; None to skip the search for removed ones.

        ``tidy_database`` removes old data from the database. ``keys``: sign the live pointer. ``idle_work``: compress
        and scrub on idle processors.

        ``is_everything_live``: True if each site shows a build. Otherwise the documents of former pages are kept.
        """
        self._keys = keys
        self._is_everything_live = is_everything_live
        self._retention = retention
        self._sites = sites
        self._tidy_database = tidy_database
        self._builds = builds
        self._media = MediaFolder(media) if isinstance(media, Path) else media
        self._clock = clock
        self._shared = shared
        self._compression = CompressionProcess(builds, idle_work)
        self._pruned_at = clock()
        self._is_due = True

    def start(self) -> None:
        """Continue compressing and scrubbing in the background."""
        self._compression.wake()

    def stop(self) -> None:
        self._compression.stop()

    def after_publish(self) -> None:
        self._is_due = True
        self._compression.wake()

    def while_idle(self, stopped: Callable[[], bool]) -> None:
        if self._is_due and self._clock() - self._pruned_at >= _PRUNE_EVERY_S:
            self.prune(stopped)

    def prune(self, stopped: Callable[[], bool] = lambda: False) -> None:
        """Remove files that no kept build needs. ``stopped`` is called at intervals."""
        if self._shared is None:
            with suppress(UsageError), prune_lock(self._builds):
                self._prune(stopped)
            return
        with suppress(UsageError), publish_lock(self._builds, wait=False, shared=self._shared):
            self._shared.tidy(self._prune(stopped))

    def _prune(self, stopped: Callable[[], bool]) -> Collection[str]:
        """Prune, and return the URL paths of documents that kept builds offer."""
        kept = self._retention
        if self._sites is not None:
            today = datetime.now(UTC).date()
            remove_left_sites(self._builds, self._sites, kept.left_site_days, today, self._shared, self._keys)
        pruned = prune(self._builds, kept.builds, kept.build_days, stopped)
        try:
            if self._is_everything_live():
                remove_unoffered(self._media, pruned.documents)
        except BuildError as error:  # the storage is unreachable; the next round retries
            _log.warning("%s", error)
        for site in read_live(self._builds).builds:
            prune_inputs(self._builds, site, {head.build for head in list_builds(self._builds, site)})
        self._tidy_database()
        self._pruned_at = self._clock()
        self._is_due = stopped()
        return pruned.documents
