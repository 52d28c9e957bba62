"""Publishing: from a release to every site's new build, and one switch at the end that puts them live."""

import gc
import secrets
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple, Self

from ..builds.hosts import build_hosts, write_hosts
from ..builds.live import read_live, read_live_releases, switch_live
from ..builds.manifest import File, Manifest, now_iso, write_manifest
from ..builds.store import ContentStore
from ..releases.reader import ReleaseReader
from .addresses import Addresses
from .build_inputs import context_digest, write_inputs
from .gate import Gate
from .lookup import SiteLookup
from .outcome import write_outcome
from .plan import find_affected_pages
from .problem import ContentError, Problem, UsageError
from .renderer import DrawnPicture, PageRequest, PictureRequest, Renderer, RenderFailure
from .route_table import build_route_table
from .shared_data import build_shared_data
from .sharing import CONTENT_TYPE
from .site_build import LiveBuild, SiteBuild, content_digest, page_content_bytes, plan_site, read_live_build
from .snapshot import Change, Snapshot, read_changes
from .translations import OneSided, find_one_sided
from .web_build import WebBuild, ingest_web_build
from .well_known import SITE_FILES, build_html_headers

Progress = Callable[[int, int], None]
"""Called with the pages done and the pages to do."""


class SiteSummary(NamedTuple):
    site: str
    build: str
    rendered: int
    reused: int
    deleted: int
    bytes: int
    """Of the pages rendered: HTML and page data, uncompressed."""
    is_new: bool
    """Whether a new build went live; else nothing differed from the one before."""


class Summary(NamedTuple):
    release: int
    sites: list[SiteSummary]
    seconds: float
    problems: list[Problem]
    """Of sites that were left out (only with ``keep_going``)."""


class Publisher:
    """Publishes releases. Long-lived: keeps the release, the live builds and the render workers warm.

    Use as a context manager; leaving it ends the workers. Whoever calls ``publish`` holds the ``publish_lock``.
    """

    def __init__(
        self,
        addresses: Addresses,
        reader: ReleaseReader,
        web: WebBuild,
        builds: Path,
        media: Path,
        pool: Renderer,
        brotli: int = 5,
    ) -> None:
        self._addresses = addresses
        self._reader = reader
        self._web = web
        self._builds = builds
        self._media = media
        self._pool = pool
        self._brotli = brotli
        self._store = ContentStore(builds)
        self._snapshot: Snapshot | None = None
        self._routes = build_route_table((), addresses)
        self._live: dict[str, LiveBuild] = {}
        self._web_files: dict[str, File] = {}
        self._context = context_digest(addresses, web.hash)
        self._hosts = build_hosts(addresses.registry, addresses.environment, addresses.port)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        self._pool.close()

    def publish(
        self,
        release: int | None = None,
        sites: Sequence[str] = (),
        keep_going: bool = False,
        full: bool = False,
        progress: Progress = lambda done, total: None,
    ) -> Summary:
        """Put a release (the newest) live on ``sites`` (all).

        Nothing goes live where one site has a problem, unless ``keep_going``: then the others do. Raises ContentError.
        ``full`` renders every page, whatever the last build was.
        """
        with _no_garbage_collection():
            return self._publish(release, sites, keep_going, full, progress)

    def _publish(
        self, release: int | None, sites: Sequence[str], keep_going: bool, full: bool, progress: Progress
    ) -> Summary:
        started = time.monotonic()
        wanted = self._choose_sites(sites)
        newest = release is None
        release = self._choose_release(release)
        snapshot = self._follow(release)
        if not sites:
            wanted = self._without_empty(wanted)
        builds, problems = self._plan(wanted, release, snapshot, full)
        self._pool.warm_up(sum(len(build.plan.render) for build in builds))
        self._web_files = self._web_files or ingest_web_build(self._web, self._store)
        self._render(builds, snapshot, progress)
        if keep_going or not (problems or any(build.problems for build in builds)):
            self._check_translations(builds)
        failed = {problem.site for problem in problems} | {build.site for build in builds if build.problems}
        problems += [problem for build in builds for problem in build.problems]
        if problems and (not keep_going or failed.issuperset(wanted)):
            write_outcome(self._builds, release, problems)
            raise ContentError(problems)
        summaries = self._go_live([build for build in builds if build.site not in failed], release)
        if problems or (newest and not sites):  # one site alone says nothing of the others
            write_outcome(self._builds, release, problems)
        return Summary(release, summaries, time.monotonic() - started, problems)

    def _choose_sites(self, sites: Sequence[str]) -> list[str]:
        known = list(self._addresses.registry.sites)
        for site in sites:
            if site not in known:
                raise UsageError(f"There is no site {site!r}, so nothing was published. Sites: {', '.join(known)}.")
        return list(sites) or known

    def _without_empty(self, sites: list[str]) -> list[str]:
        """A site that was entered in the registry and has no page yet keeps no other waiting; its name has to be said."""
        live = read_live(self._builds)
        return [site for site in sites if site in live or any(True for _ in self._routes.routes(site))]

    def _choose_release(self, release: int | None) -> int:
        newest = self._reader.latest()
        if newest is None:
            raise UsageError("There is no release yet, so nothing can be published. Load content (`portolan seed`).")
        if release is not None and not self._reader.exists(release):
            raise UsageError(
                f"There is no release {release}, so nothing was published. The newest is {newest}; "
                "`portolan releases list` shows all."
            )
        return newest if release is None else release

    def _follow(self, release: int) -> Snapshot:
        if self._snapshot is None:
            self._snapshot = Snapshot.load(self._reader, release)
            self._routes = build_route_table(self._snapshot.pages(), self._addresses)
        elif self._snapshot.release != release:
            changes = read_changes(self._reader, self._snapshot.release, release)
            self._snapshot.move_to(self._reader, release)
            self._routes.update(changes)
        return self._snapshot

    def _plan(
        self, sites: list[str], release: int, snapshot: Snapshot, full: bool
    ) -> tuple[list[SiteBuild], list[Problem]]:
        self._notice_switches()
        changes: dict[int, list[Change]] = {}
        builds: list[SiteBuild] = []
        problems: list[Problem] = []
        for site in sites:
            lookup = SiteLookup(site, snapshot, self._routes, self._addresses)
            shared = build_shared_data(site, snapshot, lookup, self._addresses)
            if isinstance(shared, Problem):
                problems.append(shared)
                continue
            self._pool.add_shared(shared.hash, shared.data)
            previous = self._live.get(site)
            known = None if full or previous is None else previous.inputs
            if known and (known.context, known.shared) != (self._context, shared.hash):
                known = None
            affected = None
            if known:
                if known.release not in changes:
                    changes[known.release] = read_changes(self._reader, known.release, release)
                affected = find_affected_pages(changes[known.release], snapshot, self._routes)
            builds.append(
                plan_site(
                    site,
                    previous,
                    known,
                    affected,
                    release,
                    self._context,
                    shared,
                    snapshot,
                    lookup,
                    self._routes,
                    self._addresses,
                    self._web.drawing,
                )
            )
        return builds, problems

    def _notice_switches(self) -> None:
        """Another process may have published, or gone back to an earlier build."""
        live = read_live(self._builds)
        self._live = {site: build for site, build in self._live.items() if live.get(site) == build.manifest.build}
        for site, name in live.items():
            if site not in self._live:
                build = read_live_build(self._builds, site, name)
                if build:
                    self._live[site] = build

    def _render(self, builds: list[SiteBuild], snapshot: Snapshot, progress: Progress) -> None:
        total = sum(len(build.plan.render) for build in builds)
        by_site = {build.site: build for build in builds}
        gate = self._gate(builds)
        pictures: dict[str, File] = {}
        done = 0
        progress(done, total)
        for answer in self._pool.render(self._requests(builds, snapshot, pictures)):
            request = answer.request
            build = by_site[request.site]
            if isinstance(answer, RenderFailure):
                mend = "correct that part of the page, or report it"
                build.problems.append(Problem(request.site, request.path, request.title, answer.what, mend))
            elif isinstance(answer, DrawnPicture):
                data = answer.data
                pictures[answer.request.name] = File(self._store.put(data), CONTENT_TYPE, len(data))
            else:
                page = build.pages[request.path]
                alternates = self._routes.alternates(page)
                checked = gate.check_page(request.site, request.path, request.title, answer.parts["html"], alternates)
                build.problems += checked.problems
                build.add_page(answer, self._store, checked.distant, self._routes.translations(page.key))
            if isinstance(request, PageRequest):
                done += 1
                progress(done, total)
        self._pool.forget_shared([build.shared.hash for build in builds])
        for build in builds:
            build.finish(self._store, self._web, self._web_files, self._addresses, pictures)
        self._check_distant(gate, by_site)

    def _requests(
        self, builds: list[SiteBuild], snapshot: Snapshot, pictures: dict[str, File]
    ) -> Iterator[PageRequest | PictureRequest]:
        """Pages to render, each with its sharing picture where nobody has drawn it yet. Those that somebody has are put
        into ``pictures``.
        """
        asked: set[str] = set()
        for build in builds:
            for path in build.plan.render:
                page = build.pages[path]
                if path in build.failed:
                    continue
                data = build.contents.pop(path, None)
                if data is None:
                    data = page_content_bytes(page, build, snapshot, self._routes, self._addresses)
                    if data is None:
                        continue
                    build.inputs.pages[path] = content_digest(data)
                yield PageRequest(build.site, path, page.title, build.shared.hash, data, self._brotli)
                picture = build.pictures.get(path)
                if picture is None or picture.path in asked:
                    continue
                asked.add(picture.path)
                known = self._find_picture(picture.path)
                if known:
                    pictures[picture.path] = known
                else:
                    yield PictureRequest(build.site, path, page.title, picture.path, picture.data)

    def _find_picture(self, name: str) -> File | None:
        """On any site: what it shows is in its name."""
        found = (live.manifest.file(name) for live in self._live.values())
        return next((File(*file[:3]) for file in found if file), None)

    def _gate(self, builds: list[SiteBuild]) -> Gate:
        site_files = {site: {*SITE_FILES, *live.manifest.files} for site, live in self._live.items()}
        for build in builds:
            site_files[build.site] = {*SITE_FILES, *self._web_files, build.shared.path}
        return Gate(self._routes, self._addresses, self._media, site_files)

    def _check_distant(self, gate: Gate, builds: dict[str, SiteBuild]) -> None:
        """Links between pages: those of rendered pages, and those of others to pages that were rendered or are gone."""

        def read_page(site: str, path: str) -> bytes | None:
            live = self._live.get(site)
            files = builds[site].files if site in builds else live.manifest.files if live else {}
            return self._store.read(files[path].digest) if path in files else None

        for site in self._addresses.registry.sites:
            build, live = builds.get(site), self._live.get(site)
            inputs = build.inputs if build else live.inputs if live else None
            for url, pages in inputs.links.items() if inputs else ():
                target = gate.locate(site, url)
                there = target and builds.get(target.site)
                rendered = pages & build.touched if build else set()
                if build and rendered:
                    build.problems += gate.check_distant(site, url, rendered, read_page)
                if target and there and target.path in there.touched and (kept := pages - rendered):
                    there.problems += gate.check_distant(site, url, kept, read_page)

    def _check_translations(self, builds: list[SiteBuild]) -> None:
        """Whether the pages that would be live together name each other. What stays behind may keep others behind too."""
        going = {build.site: build for build in builds if not build.problems}
        if all(_are_translations_kept(build) for build in going.values()):
            return
        before = {site: live.inputs.translations for site, live in self._live.items() if live.inputs}
        while True:
            after = {**before, **{site: build.inputs.translations for site, build in going.items()}}
            for found in find_one_sided(after):
                build = going.get(found.site) or going.get(found.other)
                if build:
                    build.problems.append(self._one_sided_problem(found, build.site))
            held_back = [site for site, build in going.items() if build.problems]
            if not held_back:
                return
            for site in held_back:
                del going[site]

    def _one_sided_problem(self, found: OneSided, site: str) -> Problem:
        page = self._addresses.url(found.site, found.path)
        other = self._addresses.url(found.other, found.other_path)
        does = "does not name it in turn" if found.is_there else "is not there"
        path = found.path if site == found.site else found.other_path
        known = self._routes.at(site, path)
        return Problem(
            site,
            path,
            known.title if known else path,
            f"would not agree with its translations: {page} names {other}, which {does}",
            "publish all sites together (`portolan publish`, without naming any), after mending those that have problems",
        )

    def _go_live(self, builds: list[SiteBuild], release: int) -> list[SiteSummary]:
        created = now_iso()
        new: dict[str, LiveBuild] = {}
        summaries = []
        fresh: set[str] = set()
        for build in builds:
            before = build.previous.manifest if build.previous else None
            build.inputs.build = _build_name(created, release)
            headers = build_html_headers(self._web, self._addresses, build.site)
            manifest = build.manifest(created, release, self._web.hash, headers)
            is_new = before is None or not _is_same(before, manifest)
            if before and not is_new:
                build.inputs.build = before.build
                manifest = before
            else:
                stored = {file.digest for file in before.files.values()} if before else set()
                fresh |= {file.digest for file in manifest.files.values()} - stored
            new[build.site] = LiveBuild(manifest, build.inputs, build.sitemap)
            plan = build.plan
            summaries.append(
                SiteSummary(
                    build.site,
                    manifest.build,
                    len(plan.render),
                    len(plan.keep),
                    len(plan.delete),
                    build.bytes,
                    is_new,
                )
            )
        self._store.sync(fresh)
        switched = {}
        shown = read_live_releases(self._builds)
        for build, summary in zip(builds, summaries, strict=True):
            live = new[build.site]
            if summary.is_new:
                before = build.previous.manifest if build.previous else None
                live.manifest = write_manifest(self._builds, live.manifest, before)
            if summary.is_new or shown.get(build.site) != release:
                switched[build.site] = summary.build  # also where no file differs: the API has the release's content
            write_inputs(self._builds, build.site, build.inputs)
        write_hosts(self._builds, self._hosts)
        if switched:
            switch_live(self._builds, switched, release)
        self._live |= new
        return summaries


@contextmanager
def _no_garbage_collection() -> Iterator[None]:
    """Content is trees, freed as they go out of use; looking for circles in all of it would be a tenth of the work."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


def _are_translations_kept(build: SiteBuild) -> bool:
    known = build.previous.inputs if build.previous else None
    return known is not None and known.translations == build.inputs.translations


def _build_name(created: str, release: int) -> str:
    moment = datetime.fromisoformat(created).astimezone(UTC)
    return f"{moment:%Y%m%d-%H%M%S}-{release}-{secrets.token_hex(3)}"


def _is_same(old: Manifest, new: Manifest) -> bool:
    return (old.web, old.html_headers, old.files) == (new.web, new.html_headers, new.files)
