"""``portolan publish --watch``: publish committed edits, scheduled pages and changes of the site configuration."""

import os
import signal
import sys
import threading
import time
from collections.abc import Callable
from contextlib import closing, suppress
from datetime import UTC, datetime
from enum import Enum, auto
from types import FrameType
from typing import Final, TypeVar

from ..builds.disk import explain_full_disk
from ..builds.live import read_live
from ..builds.manifest import BuildError
from ..config.env import Env
from ..config.observing import observe
from ..domain.company_day import company_day, next_day_at
from ..observing.work_pulse import start_pulse, waiting
from ..publisher.housekeeping import Housekeeping
from ..publisher.live_media import LiveMedia
from ..publisher.lock import publish_lock
from ..publisher.problem import UsageError
from ..publisher.publish import Publisher
from ..publisher.retention import find_floor
from ..publisher.scope import Scope
from ..publisher.watch import Watch
from ..publisher.web_build import RECORD
from ..releases.added_sites import copy_added_sites
from ..releases.database_errors import find_trouble
from ..releases.last_live import read_last_live
from ..releases.reader import ReleaseReader, open_reader
from ..releases.upgrade_lock import is_upgrading, wait_for_upgrade
from ..releases.wake import PUBLISHER_CHANNEL, AlreadyListening, WakeListener, socket_of, wake, wake_others
from ..sites.follow import RegistryFile
from ..sites.load import RegistryError
from ..sites.registry import Registry
from .health_option import start_listener
from .live_requests import answer_requests
from .publish_report import blocked_lines
from .publishing import company_files, load_web, open_media, open_publisher, open_shared, start_pool
from .release_making import ReleaseWorker, run_scheduled, snapshot_pending
from .release_worker_process import ReleaseWorkerProcess
from .say import say

_LOOK_AGAIN_S: Final = 5
_RETRY_BLOCKED_S: Final = (10, 30, 60, 300)
_OTHERS_END_WITHIN_S: Final = 30
"""Time limit for publishers of other groups, before a request of the studio for all sites."""
_OTHER_SNAPSHOTS_WITHIN_S: Final = 1
_ASK_AGAIN_S: Final = 0.02

_Answer = TypeVar("_Answer")


def publish_and_stay(settings: Env, pictures: bool, health: str | None = None, group: str | None = None) -> None:
    """Run until told to end. Publish the group of that name, or by default all groups without their own publisher.

    If the site configuration changes or the installation is upgraded, the process restarts itself with the same process
    id. It and its release worker cannot reload configuration and code.
    """
    scope = Scope.own(settings.registry, group) if group else Scope.shared(settings.registry)
    observe("publisher")
    pulse = start_pulse(settings.silent_after_s)
    listener = start_listener("publisher", health, pulse)
    reader = open_reader(settings.database)
    try:
        ended = _watch(settings, scope, pictures, reader, listener.beat if listener else lambda: None)
    finally:
        reader.close()
    match ended:
        case _Ended.BY_REQUEST:
            return
        case _Ended.BY_REGISTRY:
            _log(f"{settings.sites_file} has changed. The sites are updated.")
        case _Ended.BY_UPGRADE:
            _log(
                "An upgrade is running. This publisher waits for it, then restarts, with the new version if it is installed in the same place."
            )
            signal.signal(signal.SIGTERM, signal.SIG_DFL)
            wait_for_upgrade(settings.upgrade_lock)
    sys.stdout.flush()
    os.execv(sys.executable, [sys.executable, *sys.orig_argv[1:]])  # noqa: S606  (this program)


class _Ended(Enum):
    BY_REQUEST = auto()
    BY_REGISTRY = auto()
    BY_UPGRADE = auto()


def _watch(settings: Env, scope: Scope, pictures: bool, reader: ReleaseReader, beat: Callable[[], None]) -> _Ended:
    ended = threading.Event()
    socket = socket_of(settings.wake_socket, scope.name)

    def end(number: int, frame: FrameType | None) -> None:
        ended.set()
        wake(socket)  # ends after the current publish

    shared = open_shared(settings)

    def publisher() -> Publisher:
        web = load_web(settings, pictures)
        return open_publisher(settings, web, reader, start_pool(settings, web), shared=shared, scope=scope)

    registry = RegistryFile(settings.sites_file, settings.registry, settings.added_sites_file)
    release_worker = ReleaseWorkerProcess(
        settings.registry, on_death=lambda: wake(socket), silent_after_s=settings.silent_after_s
    )
    snapshots = _Snapshotting(settings, scope, reader, release_worker)

    def tidy_database() -> None:
        if scope.is_shared:
            kept, pointer = settings.registry.retention, read_live(settings.builds_dir)
            release_worker.tidy(find_floor(reader, pointer, kept.release_days, datetime.now(UTC)))
            LiveMedia(settings.builds_dir, reader).renew()

    housekeeping = Housekeeping(
        settings.builds_dir,
        open_media(settings),
        shared=shared,
        retention=settings.registry.retention,
        sites=settings.registry.sites,
        tidy_database=tidy_database,
        keys=settings.keys,
        idle_work=settings.idle_work,
        is_everything_live=lambda: read_last_live(reader).keys() <= read_live(settings.builds_dir).builds.keys(),
    )

    def web_mark() -> bytes:
        return (settings.web_dist / RECORD).read_bytes() + company_files(settings).mark().encode()

    def answer(publisher: Publisher) -> None:
        requests = reader.live_requests() if scope.is_shared else []
        if not requests:
            return
        try:
            with publish_lock(settings.builds_dir, shared=shared, longest_s=_OTHERS_END_WITHIN_S):
                answer_requests(publisher, reader, settings.builds_dir, _log, release_worker.settle, settings.keys)
        except UsageError as error:
            for request in requests:  # it is about all sites, and another publisher does not finish
                release_worker.settle(request.id, str(error))
            _log(str(error))

    watch = Watch(
        settings.builds_dir,
        reader,
        publisher,
        web_mark,
        snapshots.snapshot,
        _log,
        time.monotonic,
        answer,
        shared,
        scope,
        lambda: wake_others(settings.wake_socket, socket),
        settings.keys,
    )
    try:
        # An upgrade waits until the socket is free, so the release worker ends first.
        with WakeListener(socket, settings.database, PUBLISHER_CHANNEL) as listener, closing(release_worker):
            signal.signal(signal.SIGTERM, end)
            housekeeping.start()
            woken = True
            while not ended.is_set():
                beat()
                if is_upgrading(settings.upgrade_lock):
                    return _Ended.BY_UPGRADE
                copy_added_sites(settings.database, settings.added_sites_file)
                if _prepare_for_another(registry, settings.registry, release_worker):
                    return _Ended.BY_REGISTRY
                if watch.round(woken):
                    housekeeping.after_publish()
                if scope.is_shared:
                    release_worker.start()  # ahead, so that the first edit does not wait for it
                now = datetime.now(UTC)
                due = _next_due(settings, reader, now)
                with waiting():
                    woken = watch.has_more or wait_for_work(listener.wait, due, now)
                if not woken:
                    _tidy(housekeeping, lambda: ended.is_set() or _ask(reader.is_pending, False))
    except AlreadyListening as error:
        raise UsageError(str(error)) from None
    finally:
        watch.close()
        housekeeping.stop()
    return _Ended.BY_REQUEST


class _Snapshotting:
    """The work before each publish. Blocked changes are logged once."""

    def __init__(self, settings: Env, scope: Scope, reader: ReleaseReader, release_worker: ReleaseWorker) -> None:
        self._settings = settings
        self._is_first = scope.is_shared
        self._reader = reader
        self._release_worker = release_worker
        self._tries = BlockedTries()
        self._said: set[str] = set()

    def snapshot(self) -> datetime | None:
        """Create releases. Return when the oldest of the edits was saved."""
        self._reader.require_fit(self._settings.registry.plugins)
        saved = self._reader.oldest_pending()
        if not self._is_first:
            self._leave_to_the_shared_one()
        late = run_scheduled(self._reader, self._release_worker, datetime.now(UTC))
        today = company_day(datetime.now(UTC), self._settings.registry.company.time_zone)
        snapshot_pending(self._reader, self._release_worker, self._settings.registry, today, self._tries.is_due())
        blocked = blocked_lines(self._reader)
        self._tries.note(blocked)
        for line in (*late, *blocked):
            if line not in self._said:
                _log(line)
        self._said = {*late, *blocked}
        return saved

    def _leave_to_the_shared_one(self) -> None:
        """Wait briefly for the shared publisher, whose release worker is already running. It may hang or be missing."""
        ends_at = time.monotonic() + _OTHER_SNAPSHOTS_WITHIN_S
        while time.monotonic() < ends_at and self._is_due():
            time.sleep(_ASK_AGAIN_S)

    def _is_due(self) -> bool:
        due = self._reader.next_scheduled()
        return self._reader.is_pending() or (due is not None and due <= datetime.now(UTC))


class BlockedTries:
    """When to retry blocked changes: a missing file may be back, or the linked page may have been published."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._blocked: list[str] = []
        self._tries = 0
        self._next_at = 0.0

    def is_due(self) -> bool:
        return self._clock() >= self._next_at

    def note(self, blocked: list[str]) -> None:
        """Note the blocked changes after a try or an edit."""
        if blocked != self._blocked:
            self._blocked, self._tries, self._next_at = blocked, 0, 0.0
        if self.is_due():
            self._next_at = self._clock() + _RETRY_BLOCKED_S[min(self._tries, len(_RETRY_BLOCKED_S) - 1)]
            self._tries += 1


def _next_due(settings: Env, reader: ReleaseReader, now: datetime) -> datetime:
    """Return the next scheduled time, or the start of the company's next day, when its figures may change."""
    midnight = next_day_at(now, settings.registry.company.time_zone)
    return min(_ask(reader.next_scheduled, None) or midnight, midnight)


def wait_for_work(wait: Callable[[float], bool], due: datetime | None, now: datetime) -> bool:
    """Wait for a wake-up or a scheduled page. Return False if only a routine check is due.

    ``due``: time of the scheduled page; a past one is tried at each check.
    """
    left = (due - now).total_seconds() if due else 0
    if 0 < left <= _LOOK_AGAIN_S:
        wait(left)
        return True
    return wait(_LOOK_AGAIN_S)


def _prepare_for_another(registry: RegistryFile, in_force: Registry, release_worker: ReleaseWorker) -> bool:
    """Return whether ``sites.toml`` has changed, so that the process must restart."""
    try:
        other = registry.find_other()
    except RegistryError as error:
        _log(f"{error}\nUntil this is fixed, the sites use the previous site configuration.")
        return False
    if other is None:
        return False
    if _inheritance(other) != _inheritance(in_force):  # releases store it in the items
        try:
            release_worker.note_everything()
        except Exception as error:
            trouble = error if isinstance(error, UsageError) else find_trouble(error)
            if trouble is None:
                raise
            _log(f"{trouble} Until then the sites use the previous site configuration.")
            return False
    return True


def _inheritance(registry: Registry) -> tuple[str, dict[str, str | None]]:
    return registry.company.default_site, {key: site.inherits for key, site in registry.sites.items()}


def _ask(question: Callable[[], _Answer], otherwise: _Answer) -> _Answer:
    """Query the database. Ignore errors, because the next publish reports them."""
    with suppress(Exception):
        return question()
    return otherwise


def _tidy(housekeeping: Housekeeping, stopped: Callable[[], bool]) -> None:
    try:
        housekeeping.while_idle(stopped)
    except (OSError, BuildError, UsageError) as error:
        _log(f"Unused files could not be removed: {explain_full_disk(error) or error}")
    except Exception as error:
        if (trouble := find_trouble(error)) is None:
            raise
        _log(f"Unused files could not be removed: {trouble}")


def _log(line: str) -> None:
    say("publisher", line)
