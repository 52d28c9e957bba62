"""The long-lived publisher.

It puts every committed change live, and continues after any failure.
"""

import time
from collections.abc import Callable, Collection, Hashable, Mapping
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from ..builds.damage import damaged_of, read_damage
from ..builds.disk import explain_full_disk, name_error
from ..builds.live import Pin, read_live
from ..builds.manifest import BuildError, now_iso, read_manifest
from ..builds.mending import NO_DAMAGE, LiveDamage, mend_live
from ..builds.met_damage import MetDamage
from ..builds.signing import NO_KEYS, Keys
from ..domain.problem_texts import say_each
from ..domain.problems import Problem
from ..releases.database_errors import find_trouble
from ..releases.reader import ReleaseReader
from ..releases.release_view import ReleaseView, newest_release_view
from ..sites.groups import MAIN_GROUP
from .lock import publish_lock
from .outcome import read_own_outcome, write_outcome
from .problem import PublishError, UsageError
from .publish import Publisher, SiteSummary, Summary
from .publish_records import PUBLISHED, PublishRecord, append_record
from .repair import FILES_AT_ONCE
from .scope import Scope
from .stages import SNAPSHOT, Timing

if TYPE_CHECKING:
    from .shared_builds import SharedBuilds

_ASK_STORE_EVERY_S: Final = 10
"""Seconds between reads of the files that other machines found missing in the store."""
_RETRY_PAUSES_S: Final = (5, 10, 30, 60, 300)

_BLOCKED: Final = "Blocked until it is fixed, while everything else goes live:"
_NOTHING_NEW: Final = "Nothing new goes live until it is fixed:"
_LIVE_PROBLEMS: Final = "Live with a problem, because the site had no other build to serve:"

Log = Callable[[str], None]


class _State(NamedTuple):
    """State without anything to publish while it stays the same."""

    newest: ReleaseView
    pins: Mapping[str, Pin]
    shown: Mapping[str, tuple[str, int]]
    """Build and release of each of its sites, which change when an editor goes back and resumes."""
    default: str
    """Build of the default site, which other sites link to for missing pages; empty for a publisher of all sites."""


class Watch:
    """Publishes news at each call of ``round``. The caller waits between calls.

    ``open_publisher``: make a publisher for the present web build. ``inputs_stamp``: changes with the web build.
    ``snapshot``: make a release of pending changes and return when the oldest was saved. ``answer``: handle the studio's
    requests.
    """

    def __init__(
        self,
        builds: Path,
        reader: ReleaseReader,
        open_publisher: Callable[[], Publisher],
        inputs_stamp: Callable[[], Hashable],
        snapshot: Callable[[], datetime | None],
        log: Log,
        clock: Callable[[], float] = time.monotonic,
        answer: Callable[[Publisher], None] = lambda publisher: None,
        shared: "SharedBuilds | None" = None,
        scope: Scope | None = None,
        after_switch: Callable[[], None] = lambda: None,
        keys: Keys = NO_KEYS,
    ) -> None:
        """``scope``: the sites to publish; None for all.

        ``after_switch``: called after a build went live.

        ``keys``: required signatures of builds. A manifest without one counts as damaged.
        """
        self._keys = keys
        self._scope = scope
        self._name = scope.name if scope else MAIN_GROUP
        self._after_switch = after_switch
        self._builds = builds
        self._reader = reader
        self._open_publisher = open_publisher
        self._inputs_stamp = inputs_stamp
        self._snapshot = snapshot
        self._log = log
        self._clock = clock
        self._answer = answer
        self._shared = shared
        self._publisher: Publisher | None = None
        self._stamp: Hashable = None
        self._done: _State | None = None
        """State after the last publish, as far as it got."""
        self._failures = 0
        self._retry_at = 0.0
        self._failure = ""
        self._waiting = ""
        """The message about changes that the last publish left out; empty if there were none."""
        self._tries = 0
        self._again_at = 0.0
        self._reports = MetDamage(builds)
        self._met = NO_DAMAGE
        """Damage that visitors have met. It is repaired before damage found by the scrub."""
        self._over: frozenset[str] = frozenset()
        """Damage from the scrub that a publish has repaired or failed to repair. It is not tried again."""
        self._lacking: set[str] = set()
        """Files, and ``SITE BUILD`` of manifests, that the shared store has lost. They are stored there again."""
        self._ask_store_at = 0.0
        self.has_more = False
        """True if the last round has left damage that the next round can repair."""
        self._saved: datetime | None = None
        """When the oldest edit was saved that is in a release and not live yet."""

    def round(self, woken: bool) -> Summary | None:
        """Publish news, and return the summary, or None otherwise.

        A failed publish is tried again later.
        """
        if not woken and self._clock() < self._retry_at:
            return None
        self.has_more = False
        try:
            summary = self._round()
        except Exception as error:  # after any error the sites stay as they are, and the next round may succeed
            self._note_failure(error)
            return None
        self._failures, self._retry_at, self._failure = 0, 0.0, ""
        return summary

    def close(self) -> None:
        if self._publisher:
            self._publisher.close()
            self._publisher = None

    def _round(self) -> Summary | None:
        started = self._clock()
        self._look_at_met()
        timing = Timing()
        with timing.stage(SNAPSHOT):
            saved = self._snapshot()
        self._saved = self._saved or saved
        snapshot_at = self._clock()
        newest = newest_release_view(self._reader)
        stamp = self._inputs_stamp()
        if newest is None:
            return None
        if self._publisher is None or stamp != self._stamp:
            self.close()
            self._publisher, self._stamp = self._open_publisher(), stamp
            self._done = None
        self._mend_pointer(self._publisher)
        self._answer(self._publisher)
        now = self._look(newest)
        is_new = now != self._done
        damage = self._find_damaged()
        again = LiveDamage(damage.files[:FILES_AT_ONCE], damage.builds)
        if not is_new and not again and not self._lacking and not (self._waiting and self._clock() >= self._again_at):
            self._note_recovery(newest.release)
            self._saved = None  # the edits made no difference
            return None
        with publish_lock(self._builds, shared=self._shared, groups=self._scope.groups if self._scope else None):
            try:
                since = self._saved.isoformat(timespec="milliseconds") if self._saved else ""
                summary = self._publisher.publish(keep_going=True, timing=timing, saved=since, again=again)
                left_out = [*summary.problems, *(change.problem for change in summary.blocked)]
                live_problems = summary.live_problems
            except PublishError as error:
                summary, left_out, live_problems = None, error.problems, []
            if again:
                self._repair_pinned(again)
            if again or self._lacking:
                self._note_repair(again)
        self._done, self._saved = self._look(newest)._replace(default=now.default), None
        if summary and summary.brought_up:
            self._log(
                "Builds or files were missing. These sites show their last known content: "
                f"{', '.join(summary.brought_up)}."
            )
        self._note_waiting(summary, newest.release, left_out, live_problems, is_new)
        if summary and any(site.is_new for site in summary.sites):
            self._after_switch()
        if summary and (is_new or any(site.is_new for site in summary.sites)):
            self._log(_line(summary, snapshot_at - started, self._clock() - started))
        return summary

    def _look_at_met(self) -> None:
        """Repair damage that edges have met, without the database.

        Uses copies or the shared store.
        """
        try:
            read_live(self._builds)
        except BuildError:
            return  # the pointer is repaired first
        reported = self._reports.take()
        if self._shared and self._clock() >= self._ask_store_at:
            self._ask_store_at = self._clock() + _ASK_STORE_EVERY_S
            self._lacking |= self._shared.take_lacking()
            reported |= self._lacking
        if reported:
            found = self._mend(reported)
            if found and self._shared and self._shared.mend(found):
                found = self._mend(found.files)
            self._met = LiveDamage(list(dict.fromkeys([*self._met.files, *found.files])), found.builds)

    def _mend(self, digests: Collection[str]) -> LiveDamage:
        return mend_live(self._builds, digests, self._scope.sites if self._scope else None, self._keys)

    def _find_damaged(self) -> LiveDamage:
        """Return new damage in live builds. Damage that visitors have met comes first."""
        report = read_damage(self._builds)
        known = damaged_of(report, read_live(self._builds).builds) if report.files else frozenset()
        self._over &= known
        if not self._met and known == self._over:
            return NO_DAMAGE
        met = self._mend(self._met.files)
        others = self._mend(known - self._over - {*met.files})
        self._over |= known - {*met.files, *others.files}
        return LiveDamage([*met.files, *others.files], met.builds)

    def _repair_pinned(self, again: LiveDamage) -> None:
        """Repair pinned sites, which a publish skips, by going back to their release."""
        assert self._publisher
        pointer = read_live(self._builds)
        for site, pin in pointer.pins.items():
            if not mend_live(self._builds, again.files, [site]):
                continue
            sites = () if pointer.installation.is_pinned else (site,)
            try:
                self._publisher.go_back(pointer.releases[site], sites, pin.by)
            except (UsageError, BuildError, PublishError) as error:
                self._log(f"Site {site} is pinned, and its damaged files could not be made again: {error}")

    def _note_repair(self, tried: LiveDamage) -> None:
        left = self._mend(tried.files)
        self._over |= {*tried.files}
        self._met = LiveDamage([each for each in self._met.files if each not in tried.files])
        self.has_more = bool(self._find_damaged())
        self._put_again({*tried.files} - {*left.files})
        if repaired := len(tried.files) - len(left.files) + len(tried.builds) - len(left.builds):
            self._log(f"{repaired} damaged files of live builds are repaired.")
        if left:
            self._log(
                f"{len(left.files) + len(left.builds)} damaged files of live builds could not be made again. To list "
                "them, run `portolan verify`. For the reasons, run `portolan publish --full`."
            )

    def _put_again(self, repaired: Collection[str]) -> None:
        """Store repaired files in the shared store again, in case they are damaged too."""
        if self._shared is None:
            return
        live = read_live(self._builds).builds
        builds = {f"{site} {build}" for site, build in live.items()} & self._lacking
        named = {
            file.digest
            for site, build in live.items()
            for file in read_manifest(self._builds, site, build).files.values()
        }
        whole = ({*repaired} | (self._lacking & named)) - {*self._met.files}
        self._lacking.clear()
        if whole or builds:
            self._shared.put_files_again(sorted(whole), builds)

    def _mend_pointer(self, publisher: Publisher) -> None:
        try:
            read_live(self._builds)
        except BuildError:
            with publish_lock(self._builds, shared=self._shared):
                publisher.mend_pointer()

    def _look(self, newest: ReleaseView) -> "_State":
        pointer, default = read_live(self._builds), ""
        shown = {site: (build, pointer.releases[site]) for site, build in pointer.builds.items()}
        if self._scope and self._publisher:
            shown = {site: at for site, at in shown.items() if site in self._scope.sites}
            if self._publisher.default_site not in self._scope.sites:
                default = pointer.builds.get(self._publisher.default_site, "")
        return _State(newest, pointer.pins, shown, default)

    def _note_waiting(
        self, summary: Summary | None, release: int, problems: list[Problem], live_problems: list[Problem], is_new: bool
    ) -> None:
        """Report the blocked changes, and schedule the next attempt.

        The cause may be outside the content, such as a missing file. The same applies to content that is live with a
        problem.
        """
        lists = {_BLOCKED if summary else _NOTHING_NEW: problems, _LIVE_PROBLEMS: live_problems}
        said = "\n".join("\n  ".join([head, *say_each(some)]) for head, some in lists.items() if some)
        if said and said != self._waiting:
            if not summary:
                self._note_failed(release, "\n".join(f"  {line}" for line in say_each(problems)))
            self._log(said)
        self._waiting = said
        self._tries = 1 if is_new else self._tries + 1
        self._again_at = self._clock() + _pause(self._tries)

    def _note_recovery(self, newest: int) -> None:
        """Clear the reported failure once the publisher works again."""
        if self._failures and (outcome := read_own_outcome(self._builds, self._name)) and outcome.failure:
            write_outcome(self._builds, newest, outcome.problems, outcome.blocked, publisher=self._name)

    def _note_failure(self, error: Exception) -> None:
        trouble = find_trouble(error)
        # An unreachable database is tried at the shortest pause, which is cheap. Edits go live as soon as it is back.
        self._failures = 1 if trouble and trouble.is_away else self._failures + 1
        self._retry_at = self._clock() + _pause(self._failures)
        known = isinstance(error, UsageError | BuildError)
        said = str(error) if known else _explain(error)
        if said != self._failure:
            self._log(said)
            self._failure = said
            self._note_failed(0, said)
        with suppress(OSError):  # the disk may be what failed
            before = read_own_outcome(self._builds, self._name)
            problems, blocked = (before.problems, before.blocked) if before else ([], [])
            write_outcome(self._builds, 0, problems, blocked, said, self._name)
        if not known:
            self.close()  # its state is uncertain, so the next round starts from the disk

    def _note_failed(self, release: int, failure: str) -> None:
        """Add a failure to the history of publishing, once for each cause."""
        record = PublishRecord(now_iso(), release, failure=failure)
        with suppress(OSError):  # the disk may be what failed
            append_record(self._builds, record)
        PUBLISHED(record, (), {})


def _explain(error: Exception) -> str:
    trouble = find_trouble(error)
    what = (str(trouble) if trouble else explain_full_disk(error)) or f"Publishing failed: {name_error(error)}."
    return f"{what} The sites stay as they are, and new edits wait. The publisher tries again."


def _pause(tries: int) -> float:
    return _RETRY_PAUSES_S[min(tries, len(_RETRY_PAUSES_S)) - 1]


def _counts(site: SiteSummary) -> str:
    more = {"spliced": site.spliced, "deleted": site.deleted}
    return ", ".join([f"{site.rendered} rendered", *(f"{count} {what}" for what, count in more.items() if count)])


def _line(summary: Summary, snapshot_s: float, whole_s: float) -> str:
    sites = [f"{site.site} {_counts(site)}" for site in summary.sites if site.is_new]
    if not summary.sites:
        return f"release {summary.release} waits: every site is pinned until `portolan resume`"
    times = f"{whole_s * 1000:.0f} ms (freeze {snapshot_s * 1000:.0f}, publish {summary.seconds * 1000:.0f})"
    return f"release {summary.release} live in {times}: {'; '.join(sites) or 'nothing differs'}"
