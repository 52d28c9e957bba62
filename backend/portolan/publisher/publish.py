"""Publish: make every site's new build, and put all live with one switch."""

import gc
import time
from collections import Counter
from collections.abc import Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from itertools import count
from pathlib import Path
from typing import Final, NamedTuple, Self

from ..builds.hosts import build_hosts, write_hosts
from ..builds.live import LivePointer, Pin, Shared, blocked_on, read_live, switch_live
from ..builds.manifest import BuildError, File, name_build, now_iso, write_manifest
from ..builds.media_source import MediaFolder, MediaSource
from ..builds.mending import NO_DAMAGE, LiveDamage, mend_live
from ..builds.overlay import difference
from ..builds.signing import NO_KEYS, Keys
from ..builds.store import ContentStore
from ..domain.moments import stamp
from ..domain.problem_texts import say_each
from ..domain.problems import BlockedChange, NotReciprocal, Problem
from ..releases.last_live import LastLive, LiveRecord, read_last_live
from ..releases.reader import ItemId, ReleaseReader
from ..releases.release_view import Differences, ReleaseView, release_view_of
from .addresses import Addresses
from .attempt import Attempt, Done, Means, Progress, known_release_views
from .blocking import Blocking, LiveView, find_keepable
from .bring_up import BringUp
from .build_inputs import rules_digest, write_inputs
from .go_back import WayBack, WentBack, choose_release, choose_sites, same_files
from .journal import append_entry, entry_of
from .last_shown import find_last_shown, group_by_release, release_view_of_group, release_view_of_shown, shown_by
from .live_media import LiveMedia
from .lost_pointer import mend_pointer, set_damaged_aside
from .outcome import drop_outcomes, write_outcome
from .problem import PublishError, UsageError
from .publish_records import PUBLISHED, PublishRecord, append_record
from .renderer import Renderer
from .repair import mark_damaged
from .route_table import RouteTable, build_route_table
from .scope import Scope
from .site_build import LiveBuild, SiteBuild, read_live_build
from .snapshot import Snapshot, follow
from .stages import PLAN, STORE, SWITCH, Timing
from .web_build import WebBuild, ingest_web_build
from .well_known import build_html_headers
from .withdrawn import WithdrawnDocuments

_MOST_TRIES: Final = 12
"""From this attempt on, all changes on a site with a problem are blocked."""


_WRITTEN_EVERY: Final = 20
"""Releases after which the inputs of an unchanged build are stored. After a crash, only later changes are compared
again."""
_MOST_LOOKS: Final = 4
"""Limit of attempts because of other publishers' switches. The next publish sees later switches."""


class SiteSummary(NamedTuple):
    site: str
    build: str
    rendered: int
    spliced: int
    """Pages with a new frame around unchanged parts."""
    reused: int
    deleted: int
    bytes: int
    """Uncompressed size of the rendered HTML and page data."""
    is_new: bool
    """True if a new build went live. False if no file differs from the previous build."""


class Summary(NamedTuple):
    release: int
    sites: list[SiteSummary]
    seconds: float
    problems: list[Problem]
    """Problems of sites that were left out (only with ``keep_going``)."""
    blocked: list[BlockedChange]
    """Changes that were blocked (only with ``keep_going``)."""
    live_problems: list[Problem] = []
    """Problems that are live because the site had no other build to serve."""
    brought_up: Sequence[str] = ()
    """Sites without a build to serve before this publish."""


class _Found(NamedTuple):
    """The result of all attempts, before the switch."""

    release_view: ReleaseView
    builds: list[SiteBuild]
    standing: list[str]
    """Sites without a difference, which keep their build."""
    unsettled: Collection[str]
    """Sites with an incomplete build, which the next publish may complete."""
    failed: Collection[str]
    problems: list[Problem]
    blocked: list[BlockedChange]


class _Brought(NamedTuple):
    """Sites that are live now and had no build to serve before."""

    summaries: list[SiteSummary]
    builds: list[SiteBuild]
    blocked: list[BlockedChange]

    @property
    def sites(self) -> list[str]:
        return [each.site for each in self.summaries]

    def add(self, other: Self) -> "_Brought":
        return _Brought(self.summaries + other.summaries, self.builds + other.builds, self.blocked + other.blocked)


class Publisher:
    """Publishes releases.

    Long-lived: keeps the release, the live builds and the render workers in memory.

    Use it as a context manager, which ends the workers. The caller of ``publish`` holds the ``publish_lock``.
    """

    def __init__(
        self,
        addresses: Addresses,
        reader: ReleaseReader,
        web: WebBuild,
        builds: Path,
        media: Path | MediaSource,
        pool: Renderer,
        brotli: int | None = None,
        shared: Shared | None = None,
        scope: Scope | None = None,
        keys: Keys = NO_KEYS,
        record: LiveRecord | None = None,
    ) -> None:
        """``media``: source of uploads.

        ``shared``: the store that other machines follow. ``scope``: the sites to publish; None for all.

        ``keys``: sign the builds. ``record``: the database's record of live content.
        """
        self._addresses = addresses
        self._reader = reader
        self._web = web
        self._builds = builds
        self._media = MediaFolder(media) if isinstance(media, Path) else media
        self._pool = pool
        self._brotli = brotli
        self._keys = keys
        self._record_of_live = record
        self._noted: Mapping[str, LastLive] = {}
        self.shared = shared
        self._scope = scope or Scope.whole(addresses.registry)
        self._store = ContentStore(builds)
        self._live_media = LiveMedia(builds, reader)
        self._withdrawn = WithdrawnDocuments(reader)
        self._snapshot: Snapshot | None = None
        self._routes = build_route_table((), addresses)
        self._live: dict[str, LiveBuild] = {}
        self._web_files: dict[str, File] = {}
        self._differences = Differences(reader)
        self._timing = Timing()
        self._rules = rules_digest(addresses)
        self._hosts = build_hosts(addresses.registry, addresses.environment, addresses.port)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        for site, live in self._live.items():
            if live.is_settled and live.inputs and live.written < live.inputs.release:
                with suppress(OSError, BuildError):  # otherwise the next publish compares more
                    self._write_standing(site, live)
        self._pool.close()

    def _write_standing(self, site: str, live: LiveBuild) -> None:
        """Store the inputs of a build that shows a later release in the same files."""
        if live.inputs and read_live(self._builds).builds.get(site) == live.inputs.build:
            write_inputs(self._builds, site, live.inputs)
            live.written = live.inputs.release

    @property
    def default_site(self) -> str:
        return self._addresses.registry.company.default_site

    def publish(
        self,
        release: int | None = None,
        sites: Sequence[str] = (),
        keep_going: bool = False,
        full: bool = False,
        progress: Progress = lambda done, total: None,
        timing: Timing | None = None,
        saved: str = "",
        again: LiveDamage = NO_DAMAGE,
    ) -> Summary:
        """Put a release live on ``sites``: by default the newest, on all not pinned.

        An earlier release pins the sites. If there is a problem, raise PublishError and put nothing live. With
        ``keep_going``, put everything live that the problem does not affect.

        A site without a build to serve goes live first, with its last content, even if that has problems.

        ``full``: render every page, and store every damaged file again. ``timing``: time of earlier stages. ``saved``:
        time of the oldest edit (ISO), for the record. ``again``: damage in live builds whose files are made again.
        """
        self._timing = timing or Timing()
        with _no_garbage_collection():
            return self._publish(release, sites, keep_going, full, progress, saved, again)

    def _publish(
        self,
        release: int | None,
        sites: Sequence[str],
        keep_going: bool,
        full: bool,
        progress: Progress,
        saved: str,
        again: LiveDamage,
    ) -> Summary:
        started = time.monotonic()
        self.mend_pointer()
        pointer = read_live(self._builds)
        wanted = self._choose_sites(sites, pointer)
        newest = self._choose_release(None)
        chosen = self._choose_release(release)
        release_view = release_view_of(self._reader, chosen)
        self._differences = Differences(self._reader)
        if full:
            again = mend_live(self._builds, keys=self._keys)
        self._forget_unreadable(again.builds)
        self._store.prepare()
        if again:
            self._store.distrust(again.files)
        if full or any(file.digest in again.files for file in self._web_files.values()):
            self._web_files = {}  # damaged ones are stored again
        self._web_files = self._web_files or ingest_web_build(self._web, self._store)
        pin = Pin(now_iso(), "portolan publish --release") if chosen < newest else None
        # A repair needs no earlier content. A site comes up only if the repair leaves it without a home page.
        bare = set() if release or (again and not full) else self._find_unserved(sites, full)
        damaged = {site: live for site, live in self._live.items() if site in bare}
        last = find_last_shown(self._builds, self._reader, pointer, damaged) if bare else {}
        brought = self._bring_up({site: shown for site, shown in last.items() if site in bare}, progress)
        found, left = self._try_newest(release_view, wanted, keep_going, full, progress, not sites, again)
        if left:  # their last content is unknown
            is_whole = pin is not None and not sites and self._scope.is_whole
            asked = LastLive(chosen, {}, pin.since if pin else "", pin.by if pin else "", is_whole)
            more = self._bring_up(dict.fromkeys(left, asked), progress)
            if more.builds:
                brought = brought.add(more)
                found, _ = self._try_newest(release_view, wanted, keep_going, full, progress, not sites, again)
        going = [build for build in found.builds if build.site not in found.failed]
        speaks_of_all = release is None and not sites  # a publish of one site has no result for the others
        refused = found.problems or (
            [] if keep_going else [problem for build in brought.builds for problem in build.live_problems]
        )
        if refused and (not keep_going or not (going or found.standing or brought.builds)):
            self._note_last_live()
            self._write_outcome(chosen, found.problems, brought.blocked)
            if keep_going:
                self._note_problems(found.problems)
            raise PublishError(refused, brought.sites)
        summaries, is_switched = self._go_live(going, found, pin, whole=not sites and self._scope.is_whole)
        pinned = read_live(self._builds).pins
        blocked = [*found.blocked, *(each for each in brought.blocked if each.problem.site in pinned)]
        if is_switched or brought.builds:
            new = {each.site: each.build for each in (*brought.summaries, *summaries) if each.is_new}
            count_blocked = len(found.problems) + len(blocked)
            record = self._record(chosen, pointer.installation.release, new, saved=saved, blocked=count_blocked)
            if PUBLISHED:
                PUBLISHED(record, self._timing.spans, _count_causes([*brought.builds, *going]))
        self._note_last_live()
        live_problems = self._find_live_problems()
        if found.problems or blocked or live_problems or speaks_of_all:
            self._write_outcome(chosen, found.problems, blocked)
        summaries = self._in_order(_merge(brought.summaries, summaries))
        seconds = time.monotonic() - started
        return Summary(chosen, summaries, seconds, found.problems, blocked, live_problems, brought.sites)

    def _try_newest(
        self,
        release_view: ReleaseView,
        wanted: list[str],
        keep_going: bool,
        full: bool,
        progress: Progress,
        leave_empty: bool,
        again: LiveDamage,
    ) -> tuple["_Found", list[str]]:
        """Return builds of ``release_view`` that can go live, and sites left without one."""
        done = Done()
        for _ in range(_MOST_LOOKS):
            elsewhere = self._notice_switches()
            mark_damaged(self._live, again.files, self._web_files, self._addresses)
            pointer = read_live(self._builds)
            following = [site for site in wanted if site not in pointer.pins]
            found = self._try(release_view, following, pointer, keep_going, full, progress, leave_empty, done)
            if self._shown_elsewhere(read_live(self._builds)) == elsewhere:
                break  # otherwise another switch has replaced the builds that were checked
        if not found.problems:
            return found, []
        going = {build.site for build in found.builds if keep_going and build.site not in found.failed}
        bare = self._find_unserved(following, full=False) - going
        return found, [
            site for site in following if site in bare and self._reader.digests(release_view.release, site, "page")
        ]

    def mend_pointer(self) -> None:
        """Write the live pointer again if it is lost or damaged.

        A shared store has its own pointer.
        """
        if self.shared is None and set_damaged_aside(self._builds):
            mend_pointer(self._builds, self._addresses.registry.sites, read_last_live(self._reader), self._keys)

    def _bring_up(self, shown: Mapping[str, LastLive], progress: Progress) -> _Brought:
        """Put sites without a build live, with their last content as far as possible."""
        brought = _Brought([], [], [])
        if not shown:
            return brought
        self._web_files = ingest_web_build(self._web, self._store)
        others = find_last_shown(self._builds, self._reader, read_live(self._builds), self._live)
        for group in group_by_release(shown):
            means = self._means()
            known = {
                site: release_view_of_shown(self._reader, each) for site, each in others.items() if site not in group
            }
            bring_up = BringUp(means._replace(release_views=known), self._follow_routes)
            up = bring_up.make(release_view_of_group(self._reader, group), list(group), progress)
            pin = next((Pin(each.since, each.by) for each in group.values() if each.since), None)
            unsettled = {build.site for build in up.builds if build.live_problems} | {
                each.problem.site for each in up.blocked
            }
            found = _Found(up.release_view, up.builds, [], unsettled, (), [], up.blocked)
            brought.summaries.extend(self._go_live(up.builds, found, pin, whole=False)[0])
            brought.builds.extend(up.builds)
            brought.blocked.extend(up.blocked)
        whole = [each for site, each in shown.items() if each.is_whole and each.since and site in brought.sites]
        if whole:
            release, pin = max(each.release for each in whole), Pin(whole[0].since, whole[0].by)
            switch_live(self._builds, {}, release, pin=pin, whole=True, shared=self.shared, keys=self._keys)
        return brought

    def _find_unserved(self, sites: Collection[str], full: bool) -> set[str]:
        """Return the sites without a live build that has its home page.

        With ``full``, it must have all of its files. No ``sites`` means all sites.
        """
        self._notice_switches()
        return {site for site in sites or self._scope.sites if not self._is_served(site, full)}

    def _is_served(self, site: str, full: bool) -> bool:
        live = self._live.get(site)
        if live is None:
            return False
        files = live.manifest.files
        looked_at = files.values() if full else [files["/"]] if "/" in files else []
        return all(self._store.locate(file.digest) for file in looked_at)

    def _note_last_live(self) -> None:
        """Record each site's live content in the database.

        A machine without builds needs it.
        """
        shown = shown_by(read_live(self._builds))
        if self._record_of_live and shown != self._noted:
            newest = self._reader.latest() or 0  # the pointer may belong to a replaced database
            sites = self._addresses.registry.sites
            rows = {site: each for site, each in shown.items() if site in sites and each.release <= newest}
            self._record_of_live.write(rows, sites)
            self._noted = shown

    def _find_live_problems(self) -> list[Problem]:
        return [
            problem
            for site, live in self._live.items()
            if live.inputs and site in self._scope.sites
            for problem in live.inputs.live_problems
        ]

    def _try(
        self,
        release_view: ReleaseView,
        sites: list[str],
        pointer: LivePointer,
        keep_going: bool,
        full: bool,
        progress: Progress,
        leave_empty: bool,
        done: Done,
    ) -> "_Found":
        """Return the builds that can go live.

        With ``keep_going``, they lack the blocked changes. Other sites see a site that stays as it is, pinned
        or with a problem, in its live state. This also applies to the default site if another publisher has it.
        """
        means = self._means()
        view = LiveView(means.release_views, self._live, self._read_live_page)
        choice = Blocking(self._reader, self._addresses, view, means.differences)
        staying_as_shown = [site for site in pointer.builds if site in pointer.pins and site in self._scope.sites]
        default = self._addresses.registry.company.default_site
        for site in staying_as_shown if default in self._scope.sites else (*staying_as_shown, default):
            release_view = release_view.blocking(choice.as_shown(site, release_view))
        blocked: dict[ItemId, BlockedChange] = {}
        kept: dict[tuple[str, str], Problem] = {}
        staying: dict[str, list[Problem]] = {}
        accepted: set[Hashable] = set()
        for tries in count(1):
            with self._timing.stage(PLAN):
                snapshot = self._follow(release_view)
            wanted = [site for site in (self._without_empty(sites) if leave_empty else sites) if site not in staying]
            attempt = Attempt(means, release_view, snapshot, self._routes, done, kept, full, accepted)
            self._pool.warm_up(attempt.plan(wanted))
            attempt.render(progress)
            if not attempt.problems:
                attempt.check_translations()
            if not attempt.problems:
                break
            more: dict[ItemId, BlockedChange] = {}
            left, caused = attempt.problems, list[Problem]()
            if tries < _MOST_TRIES:
                more, left, caused = choice.choose(attempt.problems, release_view)
            accepted |= {problem.identity for problem in caused}
            is_alone = any(isinstance(problem.detail, NotReciprocal) for problem in caused)
            if not keep_going and (more or left or is_alone or not caused):
                break
            if not more and not caused:
                still = {at: problem for problem in left if (at := self._keepable(problem)) and at not in kept}
                if still and tries < _MOST_TRIES:
                    kept |= still
                    continue
                for site, problems in attempt.failed.items():
                    more |= choice.choose_all(site, problems[0], release_view)
            if not more and not caused:
                staying |= attempt.failed
                for site in attempt.failed:
                    release_view = release_view.blocking(choice.as_shown(site, release_view))
                continue
            blocked |= more
            release_view = release_view.blocking({id: change.release for id, change in more.items()})
        as_they_were = [self._stale_change(at, problem) for at, problem in kept.items() if at[0] not in staying]
        waiting = [*blocked.values(), *as_they_were, *attempt.left_out]
        unsolved = [*attempt.problems, *(problem for found in staying.values() for problem in found)]
        unsettled = {change.site for change in waiting} | {site for site, _ in kept}
        unsettled |= {build.site for build in attempt.builds if build.live_problems}
        return _Found(release_view, attempt.builds, attempt.standing, unsettled, attempt.failed, unsolved, waiting)

    def _means(self) -> Means:
        release_views = known_release_views(self._live, self._reader)
        if any(live.inputs is None for live in self._live.values()):  # the database may have their last content
            last = read_last_live(self._reader)
            release_views |= {
                site: release_view_of_shown(self._reader, last[site])
                for site, live in self._live.items()
                if live.inputs is None and site in last
            }
        return Means(
            self._addresses,
            self._reader,
            self._web,
            self._web_files,
            self._store,
            self._media,
            self._pool,
            self._brotli,
            self._rules,
            self._live,
            release_views,
            self._differences,
            self._timing,
            self._scope.sites,
        )

    def _keepable(self, problem: Problem) -> tuple[str, str] | None:
        at = find_keepable(problem, self._live.get(problem.site), self._web.hash)
        return at if at and self._store.locate(self._live[at[0]].manifest.files[at[1]].digest) else None

    def _stale_change(self, at: tuple[str, str], problem: Problem) -> BlockedChange:
        live, page = self._live[at[0]], self._routes.at(*at)
        release = live.inputs.release if live.inputs else live.manifest.release
        return BlockedChange(at[0], "page", page.key if page else "", problem.subject.title, release, True, problem)

    def _read_live_page(self, site: str, path: str) -> bytes | None:
        live = self._live.get(site)
        file = live.manifest.files.get(path) if live else None
        return self._store.read(file.digest) if file else None

    def _choose_sites(self, sites: Sequence[str], pointer: LivePointer) -> list[str]:
        pins = pointer.pins
        known = list(self._addresses.registry.sites)
        for site in sites:
            if site not in known:
                raise UsageError(f"There is no site {site!r}, so nothing was published. Sites: {', '.join(known)}.")
            if site in pins:
                raise UsageError(
                    f"Site {site} is pinned since {stamp(pins[site].since)} (by {pins[site].by}), so nothing was "
                    "published. To unpin it, run `portolan "
                    f"resume{'' if pointer.installation.is_pinned else f' --site {site}'}`."
                )
        if pointer.installation.is_pinned:
            return list(sites)  # sites that are not live yet
        return list(sites) or [site for site in known if site in self._scope.sites and site not in pins]

    def _without_empty(self, sites: list[str]) -> list[str]:
        """Leave out sites without a page.

        Otherwise a new site in the configuration would block the others.

        Sites that the caller names stay.
        """
        live = read_live(self._builds).builds
        return [site for site in sites if site in live or self._routes.count(site)]

    def _choose_release(self, release: int | None) -> int:
        newest = self._reader.latest()
        if newest is None:
            raise UsageError("There is no release yet. Load content first: `portolan seed`.")
        if release is not None and not self._reader.exists(release):
            raise UsageError(
                f"There is no release {release}, so nothing was published. The newest is {newest}; "
                "`portolan releases list` shows all."
            )
        return newest if release is None else release

    def _follow(self, release_view: ReleaseView) -> Snapshot:
        self._snapshot, changes = follow(self._snapshot, self._reader, release_view, self._differences)
        if changes is None:
            self._routes = build_route_table(self._snapshot.pages(), self._addresses)
        else:
            self._routes.update(changes)
        return self._snapshot

    def _notice_switches(self) -> dict[str, str]:
        """Read switches of other processes; return the builds of others' sites."""
        pointer = read_live(self._builds)
        live = pointer.builds
        self._live = {site: build for site, build in self._live.items() if live.get(site) == build.manifest.build}
        for site, name in live.items():
            if site not in self._live:
                build = read_live_build(self._builds, site, name, self._keys)
                if build:
                    self._live[site] = build
        return self._shown_elsewhere(pointer)

    def _forget_unreadable(self, damaged: Collection[str]) -> None:
        """Forget live builds with a damaged manifest on disk, so that they get a new one."""
        self._live = {
            site: build for site, build in self._live.items() if f"{site} {build.manifest.build}" not in damaged
        }

    def _shown_elsewhere(self, pointer: LivePointer) -> dict[str, str]:
        return {site: build for site, build in pointer.builds.items() if site not in self._scope.sites}

    def _write_outcome(self, release: int, problems: Iterable[Problem], blocked: Iterable[BlockedChange] = ()) -> None:
        write_outcome(
            self._builds,
            release,
            problems,
            blocked,
            publisher=self._scope.name,
            live_problems=self._find_live_problems(),
        )
        if self._scope.is_shared:
            own = {name for name in self._addresses.registry.groups if name not in self._scope.groups}
            drop_outcomes(self._builds, keep=own)

    def _record(
        self, release: int, since: int, builds: Mapping[str, str], saved: str = "", by: str = "", blocked: int = 0
    ) -> PublishRecord:
        stages = self._timing.milliseconds()
        record = PublishRecord(now_iso(), release, since, builds, stages, saved, by, blocked)
        append_record(self._builds, record)
        return record

    def _go_live(
        self, builds: list[SiteBuild], found: _Found, pin: Pin | None, whole: bool
    ) -> tuple[list[SiteSummary], bool]:
        """Put builds live. Return their summaries, and whether anything was switched."""
        with self._timing.stage(STORE):
            new, summaries, switched = self._store_builds(builds, found, pin)
            if switched:
                self._live_media.add(found.release_view, self._differences)
        with self._timing.stage(SWITCH):
            problems, pointer = _say_by_site(found.problems), read_live(self._builds)
            is_said = problems == {site: text for site, text in pointer.problems.items() if site in problems}
            is_behind = self.shared is not None and self.shared.is_behind()
            withdrawn = self._withdrawn.find()
            if switched or is_behind or not is_said or withdrawn != pointer.withdrawn:
                release_view = found.release_view
                switch_live(
                    self._builds,
                    switched,
                    release_view.release,
                    release_view.blocked,
                    pin,
                    whole,
                    problems,
                    self.shared,
                    withdrawn,
                    self._keys,
                )
        for build in builds:
            if build.previous and build.is_based:
                new[build.site].follow(build.previous)
            new[build.site].is_settled = build.site not in found.unsettled
        self._live |= new
        return summaries, bool(switched)

    def _store_builds(
        self, builds: list[SiteBuild], found: _Found, pin: Pin | None
    ) -> tuple[dict[str, LiveBuild], list[SiteSummary], dict[str, str]]:
        """Store the builds.

        Return them by site, their summaries, and the builds to switch to by site.
        """
        release_view, release = found.release_view, found.release_view.release
        created = now_iso()
        new: dict[str, LiveBuild] = {}
        summaries = []
        fresh: set[str] = set()
        for build in builds:
            before = build.previous.manifest if build.previous else None
            build.keep_live_problems()
            build.inputs.build = name_build(created, release)
            headers = build_html_headers(self._web, self._addresses, build.site)
            manifest = build.manifest(created, release, self._web.hash, headers)
            is_new = before is None or not same_files(before, manifest)
            if before and not is_new:
                build.inputs.build = before.build
                manifest = before
            else:
                changed, _ = difference(manifest.files, before.files if before else {})
                fresh |= {file.digest for file in changed.values()}
            new[build.site] = LiveBuild(manifest, build.inputs)
            plan = build.plan
            summaries.append(
                SiteSummary(
                    build.site,
                    manifest.build,
                    len(plan.render),
                    len(plan.splice),
                    plan.kept,
                    len(plan.delete),
                    build.bytes,
                    is_new,
                )
            )
        self._store.sync(fresh)
        switched = {}
        pointer = read_live(self._builds)
        shown, blocked = pointer.releases, pointer.blocked
        for build, summary in zip(builds, summaries, strict=True):
            live = new[build.site]
            if summary.is_new:
                before = build.previous.manifest if build.previous else None
                live.manifest = write_manifest(self._builds, live.manifest, before, build.documents, self._keys)
            if summary.is_new or not build.paths_with_problems.issuperset(build.plan.render):
                append_entry(self._builds, build.site, entry_of(build, created))
            if (
                summary.is_new
                or pin
                or (shown.get(build.site), blocked.get(build.site, {}))
                != (
                    release,
                    blocked_on(build.site, release_view.blocked),
                )
            ):
                switched[build.site] = summary.build  # even without a changed file, because the API serves the release
            write_inputs(self._builds, build.site, build.inputs)
            live.written = release
        for site in found.standing:
            live = self._live[site]
            assert live.inputs
            if pin or (shown.get(site), blocked.get(site, {})) != (release, blocked_on(site, release_view.blocked)):
                switched[site] = live.manifest.build
            is_blocked_elsewhere = (
                live.inputs.blocked != release_view.blocked
            )  # a later rollback reads it from the file
            live.inputs = replace(live.inputs, release=release, mark=release_view.mark, blocked=release_view.blocked)
            if is_blocked_elsewhere or release - live.written >= _WRITTEN_EVERY:
                self._write_standing(site, live)
            pages = len(live.inputs.pages)
            summaries.append(SiteSummary(site, live.manifest.build, 0, 0, pages, 0, 0, False))
        write_hosts(self._builds, self._hosts, self._keys)
        return new, self._in_order(summaries), switched

    def _in_order(self, summaries: Iterable[SiteSummary]) -> list[SiteSummary]:
        order = list(self._addresses.registry.sites)
        return sorted(summaries, key=lambda summary: order.index(summary.site))

    def _note_problems(self, problems: list[Problem]) -> None:
        """Write the problems into the live pointer if no site goes live."""
        said = _say_by_site(problems)
        pointer = read_live(self._builds)
        if pointer.builds and any(pointer.problems.get(site) != text for site, text in said.items()):
            switch_live(self._builds, {}, problems=said, shared=self.shared, keys=self._keys)

    def go_back(
        self,
        release: int | None = None,
        sites: Sequence[str] = (),
        by: str = "",
        is_trial: bool = False,
        progress: Progress = lambda done, total: None,
    ) -> WentBack:
        """Put ``sites`` back to a release and pin them.

        By default all sites. The default release is the one before the last change of a file on them. All go
        live with one switch, unless ``is_trial``. Raise UsageError, BuildError or PublishError without a
        change.
        """
        with _no_garbage_collection():
            started = time.monotonic()
            self._timing = Timing()
            self._differences = Differences(self._reader)
            self._store.prepare()
            self.mend_pointer()
            self._notice_switches()
            before = read_live(self._builds)
            wanted = choose_sites(before, sites, self._addresses.registry.sites)
            number = choose_release(self._reader, {site: self._live.get(site) for site in wanted}, release)
            means = self._means()._replace(sites=self._addresses.registry.sites)
            way = WayBack(self._builds, means, self._follow_routes, number, self.shared, self._keys)
            way.find(wanted, progress)
            found = way.describe()
            if not is_trial:
                self._live_media.add(way.release_view, self._differences)
                with self._timing.stage(SWITCH):
                    new = way.switch(by, is_whole=not sites)
                self._live |= new
                builds = {site: live.manifest.build for site, live in new.items()}
                record = self._record(number, before.installation.release, builds, by=by)
                PUBLISHED(record, self._timing.spans, {})
                self._note_last_live()
            return WentBack(number, found, time.monotonic() - started)

    def _follow_routes(self, release_view: ReleaseView) -> tuple[Snapshot, RouteTable]:
        return self._follow(release_view), self._routes


@contextmanager
def _no_garbage_collection() -> Iterator[None]:
    """Turn off Python's cycle collector, which would take a tenth of the time.

    Content has no cycles to collect.
    """
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


def _count_causes(builds: Iterable[SiteBuild]) -> dict[str, int]:
    """Return the number of rendered pages by the cause of their first reason."""
    return dict(Counter(str(build.reasons(path)[0].cause) for build in builds for path in build.plan.render))


def _merge(first: list[SiteSummary], then: list[SiteSummary]) -> list[SiteSummary]:
    """Merge summaries of sites brought up first and published again."""
    found = {each.site: each for each in first}
    for each in then:
        if (before := found.get(each.site)) is None or each.is_new:
            found[each.site] = each if before is None else each._replace(rendered=before.rendered + each.rendered)
    return [*found.values()]


def _say_by_site(problems: list[Problem]) -> dict[str, str]:
    """Return each affected site's first problem, with the number of others."""
    said: dict[str, str] = {}
    for site in {problem.site for problem in problems}:
        lines = say_each(problem for problem in problems if problem.site == site)
        said[site] = lines[0] if len(lines) == 1 else f"{lines[0]} (and {len(lines) - 1} more)"
    return said
