"""One attempt to prepare a release view, without going live.

It plans, renders and checks the next build of every site.
"""

import itertools
import time
from collections.abc import Callable, Collection, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, NamedTuple

from ..builds.documents import name_documents
from ..builds.manifest import File
from ..builds.media_source import MediaSource
from ..builds.store import ContentStore
from ..domain.problems import BlockedChange, NotReciprocal, Problem, RenderingFailed, ReservedPath, Subject
from ..domain.routes import page_data_path
from ..releases.index import Page
from ..releases.reader import ItemId, ReleaseReader
from ..releases.release_view import Differences, ReleaseView
from .addresses import Addresses
from .first_copies import choose_quality
from .locate import locate_links
from .lookup import SiteLookup, resolve_with_problems
from .page_content import build_page_content
from .page_index import PageIndex
from .plan import Reached, find_affected_pages, find_gone_paths
from .publish_checks import PublishChecks
from .reasons import Cause, Reason
from .redirects import build_redirects, may_differ
from .render_all import are_spliced, reasons_to_render_all
from .renderer import (
    DrawnPicture,
    InspectedPage,
    InspectRequest,
    PageRequest,
    PictureRequest,
    RecordedPage,
    Renderer,
    RenderFailure,
    Request,
    Seen,
    SeenPart,
    SplicedPage,
    SpliceRequest,
)
from .route_table import RouteTable, subject_of
from .shared_data import SharedFile, build_shared_data
from .sharing import CONTENT_TYPE
from .site_build import LiveBuild, RenderedFiles, SiteBuild, content_digest, page_content_bytes, plan_site
from .snapshot import Change, Snapshot, pages_of
from .stages import CHECKS, PLAN, RENDER, STORE, Timing
from .translations import NonReciprocal, TranslationsOf, find_non_reciprocal, find_renamed
from .web_build import WebBuild
from .well_known import SITE_FILES

Progress = Callable[[int, int], None]
"""Called with the pages done and the pages to do."""

Follow = Callable[[ReleaseView], tuple[Snapshot, RouteTable]]
"""Returns content and routes of a release view, valid until the next call."""


class Means(NamedTuple):
    """Inputs that all attempts of a publish share."""

    addresses: Addresses
    reader: ReleaseReader
    web: WebBuild
    web_files: Mapping[str, File]
    store: ContentStore
    media: MediaSource
    pool: Renderer
    brotli: int | None
    """Quality of the first compressed copies (``first_copies``); None to choose it by the number of pages."""
    rules: str
    """``build_inputs.rules_digest``."""
    live: Mapping[str, LiveBuild]
    release_views: Mapping[str, ReleaseView]
    """The release view that each site shows now. A site is missing if the database lacks its release."""
    differences: Differences
    timing: Timing
    sites: Collection[str]
    """Sites published together. Other sites count in their live state."""


def known_release_views(live: Mapping[str, LiveBuild], reader: ReleaseReader) -> dict[str, ReleaseView]:
    """Return the release view of each build whose release the database still has."""
    return {
        site: build.inputs.release_view
        for site, build in live.items()
        if build.inputs and build.inputs.mark == reader.mark(build.inputs.release)
    }


@dataclass(slots=True)
class Done:
    """Results of earlier attempts of the same publish."""

    pages: dict[tuple[str, str], tuple[str, str, RenderedFiles]] = field(default_factory=dict)
    """Site and path -> digest of the page content, hash of the shared data, files."""
    pictures: dict[str, File] = field(default_factory=dict)
    """Sharing images by URL path."""


class Attempt:
    """After ``render``, ``builds`` are complete and checked.

    ``problems`` has their problems.
    """

    def __init__(
        self,
        means: Means,
        release_view: ReleaseView,
        snapshot: Snapshot,
        routes: RouteTable,
        done: Done,
        kept: Collection[tuple[str, str]] = (),
        full: bool = False,
        accepted: Collection[Hashable] = (),
    ) -> None:
        """``kept``: site and path of pages whose files stay unchanged.

        ``full``: render every page.

        ``accepted``: identities of problems that builds may go live with, in addition to problems that are live
        already.
        """
        self._means = means
        self._release_view = release_view
        self._snapshot = snapshot
        self._routes = routes
        self._done = done
        self._kept = kept
        self._full = full
        known = (live.inputs.live_problems for live in means.live.values() if live.inputs)
        self._accepted = frozenset(accepted) | {
            problem.identity for live_problems in known for problem in live_problems
        }
        self._siteless: list[Problem] = []
        """Problems of sites without a build."""
        self.standing: list[str] = []
        """Sites without a difference. They get no build."""
        self._changes: dict[tuple[int, frozenset[tuple[ItemId, int]]], tuple[list[Change], Reached]] = {}
        """Differences from each live release view, and the pages that they affect. Usually all sites show the same
        one."""
        self.builds: list[SiteBuild] = []
        self.left_out: list[BlockedChange] = []
        """Redirects that the builds lack because they cannot be followed."""

    @property
    def problems(self) -> list[Problem]:
        return [*self._siteless, *(problem for build in self.builds for problem in build.problems)]

    @property
    def failed(self) -> dict[str, list[Problem]]:
        """Return the sites that cannot go live, each with its problems.

        A problem may be on another site whose link would break.
        """
        siteless = {problem.site: [problem] for problem in self._siteless}
        return siteless | {build.site: build.problems for build in self.builds if build.problems}

    def plan(self, sites: Sequence[str]) -> int:
        """Plan the next build of each site.

        Return the number of pages to render or to reframe.
        """
        with self._means.timing.stage(PLAN):
            return self._plan(sites)

    def _plan(self, sites: Sequence[str]) -> int:
        for site in sites:
            if self._is_unchanged(site):
                self.standing.append(site)
                continue
            lookup = SiteLookup(site, self._snapshot, self._routes, self._means.addresses)
            shared, live_problems = resolve_with_problems(
                partial(self._build_shared_data, site), lookup, self._accepted
            )
            if isinstance(shared, Problem):
                self._siteless.append(shared)
                continue
            self._means.pool.add_shared(shared.hash, shared.data)
            previous = self._means.live.get(site)
            web = self._means.web
            every = reasons_to_render_all(previous, web.hash, shared, self._means.store, self._full, web.frame_texts)
            frame = every if are_spliced(every) else ()
            if frame:
                every = ()
            known = None if every or previous is None else previous.inputs
            affected = None
            gone: list[str] = []
            before = None
            shown = self._means.release_views.get(site)
            if known and known.rules != self._means.rules:
                every = (Reason(Cause.RULES),)
            elif known and not shown:
                every = (Reason(Cause.UNCERTAIN),)
            elif known and shown:
                differing, reached = self._since(shown)
                if site in reached.every:
                    every = (reached.every[site],)
                else:
                    affected = reached.pages.get(site, {})
                gone = find_gone_paths(differing, site, self._routes)
                if previous and not may_differ(site, differing, self._means.addresses):
                    before = previous.manifest.redirects
            redirects, left_out = build_redirects(
                site,
                self._means.reader,
                self._release_view,
                self._routes,
                self._means.addresses,
                {*SITE_FILES, *self._means.web_files},
                before,
            )
            self.left_out += left_out
            build = plan_site(
                site,
                previous,
                known,
                affected,
                gone,
                self._release_view,
                self._means.web.hash,
                self._means.rules,
                shared,
                self._snapshot,
                lookup,
                self._routes,
                self._means.addresses,
                self._means.web.drawing,
                redirects,
                {path for other, path in self._kept if other == site},
                is_spliced=bool(frame),
                accepted=self._accepted,
            )
            build.problems += self._find_pages_at_files(site)
            build.live_problems += live_problems
            build.set_problems_aside()
            build.every, build.affected = (*frame, *every), affected or {}
            self.builds.append(build)
        return sum(len(build.plan.render) + len(build.plan.splice) for build in self.builds)

    def _find_pages_at_files(self, site: str) -> list[Problem]:
        """Return problems of pages at the path of a site's file, such as ``/robots.txt``.

        Error pages are exempt, because a company may have them as its own files.
        """
        found = (self._routes.at(site, path) for path in (*SITE_FILES, *self._means.web_files))
        return [
            Problem(subject_of(page), ReservedPath(page.path)) for page in found if page and page.template != "error"
        ]

    def _build_shared_data(self, site: str, lookup: SiteLookup) -> SharedFile | Problem:
        return build_shared_data(site, self._snapshot, lookup, self._means.addresses)

    def _since(self, shown: ReleaseView) -> tuple[list[Change], Reached]:
        since = shown.release, frozenset(shown.blocked.items())
        if since not in self._changes:
            differing = pages_of(self._means.differences.between(shown, self._release_view))
            self._changes[since] = differing, find_affected_pages(differing, self._snapshot, self._routes)
        return self._changes[since]

    def _is_unchanged(self, site: str) -> bool:
        """Return True if a new build would equal the live one.

        An edit then costs only as much as it changes.
        """
        live, shown = self._means.live.get(site), self._means.release_views.get(site)
        if self._full or live is None or shown is None or not live.is_settled:
            return False
        differing, reached = self._since(shown)
        return (
            reached.is_beyond(site)
            and all(other != site for other, _ in self._kept)
            and not find_gone_paths(differing, site, self._routes)
            and not may_differ(site, differing, self._means.addresses)
        )

    def render(self, progress: Progress) -> None:
        """Render the planned pages and check them.

        Pages of an earlier attempt are checked again.
        """
        by_site = {build.site: build for build in self.builds}
        publish_checks, means = self._publish_checks(), self._means
        with means.timing.stage(RENDER):
            self._render(by_site, publish_checks, progress)
        with means.timing.stage(STORE):
            for build in self.builds:
                build.finish(means.store, means.web, means.web_files, means.addresses, self._done.pictures)
        with means.timing.stage(CHECKS):
            self._check_cross_page_links(publish_checks, by_site)
            for build in self.builds:
                build.problems = locate_links(build.problems, build.site, build.shared.data, self._read_blocks)
                build.set_problems_aside()

    def _render(self, by_site: Mapping[str, SiteBuild], publish_checks: PublishChecks, progress: Progress) -> None:
        total = sum(len(build.plan.render) + len(build.plan.splice) for build in self.builds)
        done = 0
        progress(done, total)
        for answer in self._means.pool.render(self._requests(choose_quality(total, self._means.brotli)), total):
            request = answer.request
            build = by_site[request.site]
            if isinstance(answer, RenderFailure):
                subject = subject_of(build.page(request.path))
                build.problems.append(Problem(subject, RenderingFailed(answer.what)))
            elif isinstance(answer, InspectedPage):
                page = build.page(request.path)
                self._add(build, page, self._done.pages[page.site, page.path][2], answer.seen, publish_checks)
            elif isinstance(answer, DrawnPicture):
                data = answer.data
                file = File(self._means.store.put(data), CONTENT_TYPE, len(data))
                self._done.pictures[answer.request.name] = file
            elif isinstance(answer, RecordedPage):
                files = self._take(build, answer)
                self._add(build, build.page(request.path), files, answer.seen, publish_checks)
            elif isinstance(answer, SplicedPage):
                self._add_spliced(build, answer, self._take(build, answer), publish_checks)
            if not isinstance(request, PictureRequest):
                done += 1
                progress(done, total)
        self._means.pool.forget_shared([build.shared.hash for build in self.builds])

    def check_translations(self) -> None:
        """Check that pages live together link to each other as translations.

        A site that cannot go live can block others.
        """
        with self._means.timing.stage(CHECKS):
            self._check_translations()

    def _check_translations(self) -> None:
        going = {build.site: build for build in self.builds if not build.problems}
        live = {site: build.inputs for site, build in self._means.live.items() if site in self._means.sites}
        while True:
            inputs = {**live, **{site: build.inputs for site, build in going.items()}}
            sites = {site: TranslationsOf(known.pages) for site, known in inputs.items() if known}
            # If all live sites are known, they have been checked, and only differences from them remain.
            before = {site: TranslationsOf(known.pages) for site, known in live.items() if known}
            at = find_renamed(sites, before) if before.keys() >= inputs.keys() else None
            for found in find_non_reciprocal(sites, at):
                build = going.get(found.site) or going.get(found.other)
                if build:
                    build.problems.append(self._non_reciprocal_problem(found, build.site))
                    build.set_problems_aside()
            blocked_sites = [site for site, build in going.items() if build.problems]
            if not blocked_sites:
                return
            for site in blocked_sites:
                del going[site]

    def _take(self, build: SiteBuild, recorded: RecordedPage | SplicedPage) -> RenderedFiles:
        path = recorded.request.path
        files = build.take_record(recorded)
        self._means.store.packs.add(recorded.packed)
        self._done.pages[build.site, path] = (build.content(path), build.shared.hash, files)
        return files

    def _add(
        self, build: SiteBuild, page: Page, files: RenderedFiles, seen: Seen, publish_checks: PublishChecks
    ) -> None:
        began = time.perf_counter()
        routes = self._routes
        checked = publish_checks.check_page(
            subject_of(page), seen, routes.alternates(page), routes.alternates_in_head(page)
        )
        self._means.timing.add(CHECKS, time.perf_counter() - began)
        build.problems += checked.problems
        build.add_page(page, files, checked.cross_page_links, self._routes.alternate_pages(page.site, page.key))
        self._note_parts(build, files, seen.own, seen.frame, publish_checks)

    def _add_spliced(
        self, build: SiteBuild, spliced: SplicedPage, files: RenderedFiles, publish_checks: PublishChecks
    ) -> None:
        path = spliced.request.path
        build.problems += publish_checks.check_spliced_page(subject_of(build.page(path)), spliced.own, spliced.frame)
        build.add_files(path, files)
        self._note_parts(build, files, spliced.own, spliced.frame, publish_checks)

    def _note_parts(
        self, build: SiteBuild, files: RenderedFiles, own: SeenPart, frame: SeenPart, publish_checks: PublishChecks
    ) -> None:
        build.note_frame(publish_checks.check_frame(build.site, frame).cross_page_links)
        build.documents[files.html.digest] = name_documents((*own.documents, *frame.documents))

    def _requests(self, brotli: int) -> Iterator[Request]:
        """Yield the pages to render, each with its sharing image if that is missing.

        Pages that an earlier attempt rendered from the same input are inspected again, because the pages that they link
        to may have changed.
        """
        asked: set[str] = set()
        store = str(self._means.store.folder)
        for build in self.builds:
            lost: list[str] = []
            yield from self._splices(build, store, lost)
            wanted = [build.page(path) for path in (*build.plan.render, *lost) if path not in build.failed]
            for page in itertools.chain(
                (page for page in wanted if page.path in build.contents),
                self._snapshot.ahead(page for page in wanted if page.path not in build.contents),
            ):
                path = page.path
                data = build.contents.pop(path, None)
                if data is None:
                    data = page_content_bytes(page, build, self._snapshot, self._routes, self._means.addresses)
                    if data is None:
                        continue
                    build.digests[path] = content_digest(data)
                yield self._inspect_again(build, page) or PageRequest(
                    build.site, path, page.title, build.shared.hash, data, brotli, store
                )
                picture = build.pictures.get(path)
                if picture is None or picture.path in asked or picture.path in self._done.pictures:
                    continue
                asked.add(picture.path)
                drawn = self._find_picture(picture.path)
                if drawn:
                    self._done.pictures[picture.path] = drawn
                else:
                    yield PictureRequest(build.site, path, page.title, picture.path, picture.data)

    def _splices(self, build: SiteBuild, store: str, lost: list[str]) -> Iterator[Request]:
        """Yield the pages to reframe.

        ``lost`` collects pages whose files are missing, which must be rendered.
        """
        if not build.plan.splice:
            return
        assert build.previous
        before = build.previous.manifest.files
        for path in build.plan.splice:
            page = build.page(path)
            if again := self._inspect_again(build, page):
                yield again
                continue
            html = self._means.store.locate(before[path].digest)
            data = self._means.store.locate(before[page_data_path(path)].digest)
            if html and data:
                yield SpliceRequest(build.site, path, page.title, build.shared.hash, html, data, store)
            else:
                lost.append(path)

    def _inspect_again(self, build: SiteBuild, page: Page) -> InspectRequest | None:
        """Return a request for a page already made from the same input, else None."""
        known = self._done.pages.get((page.site, page.path))
        if known is None or known[:2] != (build.content(page.path), build.shared.hash):
            return None
        place = self._means.store.locate(known[2].html.digest)
        assert place, "an earlier try has just stored it"
        return InspectRequest(build.site, page.path, page.title, place)

    def _find_picture(self, name: str) -> File | None:
        """Return a drawn image of any site.

        Image names come from their content, so equal names are equal images.
        """
        found = (live.manifest.file(name) for live in self._means.live.values())
        return next(
            (File(*file[:3]) for file in found if file and not self._means.store.is_distrusted(file.digest)), None
        )

    def _publish_checks(self) -> PublishChecks:
        means = self._means
        shared = {build.site: build.shared.path for build in self.builds}

        def is_file(site: str, path: str) -> bool:
            if site in shared:
                return path in SITE_FILES or path in means.web_files or path == shared[site]
            return site in means.live and (path in SITE_FILES or path in means.live[site].manifest.files)

        redirects = {site: live.manifest.redirects for site, live in means.live.items()}
        redirects |= {build.site: build.redirects for build in self.builds}
        return PublishChecks(self._routes, means.addresses, means.media, is_file, redirects, means.sites)

    def _check_cross_page_links(self, publish_checks: PublishChecks, builds: dict[str, SiteBuild]) -> None:
        """Check links from rendered pages, and to rendered or removed pages."""

        def read_page(site: str, path: str) -> bytes | None:
            live = self._means.live.get(site)
            files = builds[site].files if site in builds else live.manifest.files if live else {}
            return self._means.store.read(files[path].digest) if path in files else None

        for build in builds.values():
            for url, pages in build.links_rendered().items():
                build.problems += publish_checks.check_cross_page_links(build.site, url, pages, read_page)
        touched = {site: build.touched for site, build in builds.items()}
        for site in self._means.addresses.registry.sites:
            index = self._index(site, builds.get(site))
            if index is None:
                continue
            links = set(index.links_into(touched))
            for there in builds.values():
                if there.may_redirect_elsewhere():
                    targets = ((url, self._means.addresses.target(site, url)) for url in index.links)
                    links |= {
                        (there.site, url)
                        for url, target in targets
                        if target and target.site == there.site and there.redirects_elsewhere(target.path)
                    }
            for other, url in sorted(links):
                others = index.with_link(url) - touched.get(site, frozenset())
                if others:
                    builds[other].problems += publish_checks.check_cross_page_links(site, url, others, read_page)

    def _index(self, site: str, build: SiteBuild | None) -> PageIndex | None:
        """Return an index of at least the untouched pages of a site."""
        if build and not build.is_based:
            return PageIndex(site, build.inputs, self._means.addresses)
        live = self._means.live.get(site)
        return live.index(self._means.addresses) if live and live.inputs else None

    def _non_reciprocal_problem(self, found: NonReciprocal, site: str) -> Problem:
        """Return the problem for ``site``, which would get a new build."""
        page = self._means.addresses.url(found.site, found.path)
        other = self._means.addresses.url(found.other, found.other_path)
        ends = (found.site, found.path), (found.other, found.other_path)
        (_, path), far = ends if site == found.site else ends[::-1]
        known, there = self._routes.at(site, path), self._routes.at(*far)
        key = there.key if there else known.key if known else ""
        detail = NotReciprocal(page, other, far[0], key, found.is_there)
        return Problem(subject_of(known) if known else Subject(site, "page", "", path, path), detail)

    def _read_blocks(self, site: str, path: str) -> list[dict[str, Any]]:
        """Return the blocks of a page in its present content, with references resolved."""
        build = next(build for build in self.builds if build.site == site)
        page = self._routes.at(site, path)
        if page is None:
            return []
        content = build_page_content(page, self._snapshot, build.lookup, self._routes, self._means.addresses)
        return [] if isinstance(content, Problem) else content["blocks"]
