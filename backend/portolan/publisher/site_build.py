"""One site during a publish: its last build, the pages to render, its new files."""

from collections.abc import Collection, Hashable, Iterable, Mapping, MutableMapping, Set
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Final, NamedTuple

import orjson

from ..builds.integrity import read_whole
from ..builds.manifest import BuildError, File, Manifest, read_manifest
from ..builds.overlay import Overlay
from ..builds.signing import NO_KEYS, Keys
from ..builds.store import ContentStore
from ..domain.problems import Problem
from ..domain.redirects import Redirect, RedirectTable
from ..domain.routes import OFFLINE_PAGE, page_data_path
from ..releases.index import Page
from ..releases.release_view import ReleaseView
from .addresses import Addresses
from .build_inputs import FRAME, BuildInputs, KnownPage, read_inputs
from .lookup import SiteLookup, resolve_with_problems
from .page_content import build_page_content, share_with_picture
from .page_index import PageIndex
from .plan import BuildPlan, plan_build
from .reasons import Cause, Reason, Reasons
from .renderer import RecordedPage, SplicedPage
from .route_table import RouteTable
from .service_worker import SERVICE_WORKER, build_service_worker
from .shared_data import SHARED_PREFIX, SharedFile
from .sharing import SharingPicture
from .sitemap import Sitemap, is_part
from .snapshot import Snapshot
from .translations import pack_translations
from .web_build import WebBuild
from .well_known import build_changing_files, build_fixed_files

_KEPT_CONTENTS: Final = 500
"""Page contents that a plan keeps for the renderer. If it compares more pages, the others are built again."""
_HOME: Final = "home"
_HTML: Final = "text/html; charset=utf-8"
_JSON: Final = "application/json"
_SCRIPT: Final = "text/javascript; charset=utf-8"


@dataclass(slots=True)
class LiveBuild:
    """A site's live build in memory. ``inputs`` are None if unknown."""

    manifest: Manifest
    inputs: BuildInputs | None
    is_settled: bool = False
    """True if this process has made or compared the build completely, so that only changes can make it differ."""
    written: int = 0
    """The release in its stored inputs, if it is settled."""
    _index: PageIndex | None = None

    def index(self, addresses: Addresses) -> PageIndex:
        """Return the index of its pages.

        It is made on first use and passed to the next build.
        """
        if self._index is None:
            self._index = PageIndex(self.manifest.site, self.inputs, addresses)
        return self._index

    def forget_index(self) -> None:
        """Drop the index, because pages have changed."""
        self._index = None

    def follow(self, previous: "LiveBuild") -> None:
        """Take over the index of ``previous``, which must not be used afterwards."""
        if previous._index and self.inputs:
            previous._index.move_to(self.inputs)
            self._index = previous._index


def read_live_build(root: Path, site: str, build: str, keys: Keys = NO_KEYS) -> LiveBuild | None:
    """Return the build, or None if its manifest is damaged or unsigned.

    The next publish then renders the whole site.
    """
    try:
        return LiveBuild(read_manifest(root, site, build, keys=keys), read_inputs(root, site, build))
    except BuildError:
        return None


class RenderedFiles(NamedTuple):
    """The two files of one page."""

    html: File
    data: File


@dataclass(slots=True)
class SiteBuild:
    """The next build of one site."""

    site: str
    previous: LiveBuild | None
    inputs: BuildInputs
    shared: SharedFile
    lookup: SiteLookup
    routes: RouteTable
    plan: BuildPlan
    redirects: Mapping[str, Redirect]
    contents: dict[str, bytes] = field(default_factory=dict)
    """Content of some pages to render, built when digests were compared."""
    drawing: str = ""
    """``WebBuild.drawing``."""
    pictures: dict[str, SharingPicture] = field(default_factory=dict)
    """Sharing images of pages whose content was built, by path."""
    touched: frozenset[str] = frozenset()
    """Paths to render and to delete."""
    is_based: bool = False
    """True if it starts from the live build's files and pages. Otherwise all are assembled again."""
    files: MutableMapping[str, File] = field(default_factory=dict)
    frame_links: frozenset[str] = frozenset()
    """``BuildInputs.frame_links`` of rendered and reframed pages."""
    documents: dict[str, tuple[str, ...]] = field(default_factory=dict)
    """URL paths of the documents on each rendered page, by the digest of its HTML."""
    digests: dict[str, str] = field(default_factory=dict)
    """Digests of page contents to render, by path."""
    failed: set[str] = field(default_factory=set)
    """Pages without page content."""
    reached: frozenset[str] = frozenset()
    """Paths of the pages that may differ."""
    stale: frozenset[str] = frozenset()
    """Pages that are kept although they may differ. The next publish tries them again."""
    every: Reasons = ()
    """Why any page may differ; empty if the affected pages are known."""
    affected: Mapping[Page, Reasons] = field(default_factory=dict)
    """The affected pages, if known."""
    problems: list[Problem] = field(default_factory=list)
    accepted: Set[Hashable] = frozenset()
    """Identities of problems that do not block the build (``Problem.identity``)."""
    live_problems: list[Problem] = field(default_factory=list)
    """Problems that the build would go live with."""
    bytes: int = 0

    def page(self, path: str) -> Page:
        """Return the page at a path, which must exist."""
        page = self.routes.at(self.site, path)
        assert page
        return page

    def content(self, path: str) -> str:
        """Return the digest of the page content."""
        return self.digests.get(path) or self.inputs.pages[path].content

    def reasons(self, path: str) -> Reasons:
        """Return why a page is rendered. Never empty."""
        if self.every:
            return self.every
        known = self.previous.inputs if self.previous else None
        again = (Reason(Cause.AGAIN),) if known and (page := known.pages.get(path)) and not page.content else ()
        return (*self.affected.get(self.page(path), ()), *again) or (Reason(Cause.UNCERTAIN),)

    def set_problems_aside(self) -> None:
        """Separate the problems that go live from those that block the build."""
        found = {problem.identity: problem for problem in self.live_problems}
        for problem in self.problems:
            if problem.identity in self.accepted:
                found.setdefault(problem.identity, problem)
        self.live_problems = [*found.values()]
        self.problems = [problem for problem in self.problems if problem.identity not in self.accepted]

    def keep_live_problems(self) -> None:
        """Record the problems that go live.

        Each publish renders their pages again, to find out whether the problems are fixed. The home page represents
        problems of menu and footer.
        """
        self.inputs.live_problems = tuple(self.live_problems)
        for path in self.paths_with_problems:
            self.inputs.pages[path] = self.inputs.pages[path]._replace(content="")

    @property
    def paths_with_problems(self) -> set[str]:
        paths = {problem.subject.path if problem.subject.kind == "page" else "/" for problem in self.live_problems}
        return paths & self.inputs.pages.keys()

    def may_redirect_elsewhere(self) -> bool:
        """Return True if it has other redirects than the live build.

        After most edits they are the same object.
        """
        return self._redirects_before is not self.redirects and self._redirects_before != self.redirects

    def redirects_elsewhere(self, path: str) -> bool:
        """Return True if it redirects a path differently from the live build."""
        return _redirect(self.redirects, path) != _redirect(self._redirects_before, path)

    @property
    def _redirects_before(self) -> Mapping[str, Redirect]:
        return self.previous.manifest.redirects if self.previous else {}

    def links_rendered(self) -> dict[str, set[str]]:
        """Return links of rendered and reframed pages, each with its pages' paths.

        See ``KnownPage.links``. Includes the frame's links if any page has got the frame.
        """
        found: dict[str, set[str]] = {}
        for path in (*self.plan.render, *self.plan.splice):
            page = self.inputs.pages.get(path)
            for url in page.links if page else ():
                found.setdefault(url, set()).add(path)
        for url in self.frame_links:
            found.setdefault(url, set()).add(FRAME)
        return found

    def take_record(self, page: RecordedPage | SplicedPage) -> RenderedFiles:
        """Return the files that the renderer has stored."""
        self.bytes += page.html.size + page.data.size
        return RenderedFiles(
            File(page.html.digest, _HTML, page.html.size), File(page.data.digest, _JSON, page.data.size)
        )

    def add_page(
        self, page: Page, files: RenderedFiles, cross_page_links: Iterable[str], translations: Iterable[Page]
    ) -> None:
        path = page.path
        if path in self.digests:
            picture = self.pictures.get(path)
            self.inputs.pages[path] = KnownPage(
                self.digests[path],
                picture.path if picture else "",
                "" if page.template == "error" or page.fallback else pack_translations(page, translations),
                tuple(sorted(cross_page_links)),
            )
        self.add_files(path, files)

    def add_files(self, path: str, files: RenderedFiles) -> None:
        """Add the files of a reframed page, whose other facts are known."""
        self.files[path], self.files[page_data_path(path)] = files

    def note_frame(self, links: Set[str]) -> None:
        """Add the links of a page's frame that a change elsewhere can break."""
        if not links <= self.frame_links:
            self.frame_links |= links
            self.inputs.frame_links |= links

    def finish(
        self,
        store: ContentStore,
        web: WebBuild,
        web_files: Mapping[str, File],
        addresses: Addresses,
        pictures: Mapping[str, File],
    ) -> None:
        """Add the remaining files after rendering.

        ``pictures``: sharing images by URL path, drawn now or earlier.
        """
        before: Mapping[str, File] = self.previous.manifest.files if self.previous else {}
        if self.is_based:
            self._remove_files(store, before, addresses)
            shown = self.plan.render
        else:
            self.files.update(web_files)
            for path in self.inputs.pages.keys() - {*self.plan.render, *self.plan.splice}:
                self.files[path] = before[path]
                self.files[page_data_path(path)] = before[page_data_path(path)]
            shown = list(self.inputs.pages)
        year = int(self.lookup.placeholder("year") or 0)
        sitemap = _make_sitemap(self, store, before, addresses)
        site_files = build_changing_files(self.site, sitemap, addresses, year)
        if not self.is_based:
            site_files |= build_fixed_files(self.site, web.hash, addresses)
        site_files[self.shared.path] = (self.shared.data, _JSON)
        for path, (data, content_type) in site_files.items():
            self.files[path] = File(store.put(data), content_type, len(data))
        for path in _find_shared(store, before, self.stale):  # they keep the shared data they were made with
            self.files[path] = before[path]
        for name in {page.picture for path in shown if (page := self.inputs.pages.get(path))}:
            if name in pictures:  # otherwise drawing failed, which is a problem
                self.files[name] = pictures[name]
            elif self.previous and (known := self.previous.manifest.file(name)):
                self.files[name] = File(*known[:3])
        worker = build_service_worker(self.site, web, self.files.get(OFFLINE_PAGE), addresses)
        if worker is not None:
            self.files[SERVICE_WORKER] = File(store.put(worker), _SCRIPT, len(worker))
        else:
            self.files.pop(SERVICE_WORKER, None)

    def _remove_files(self, store: ContentStore, before: Mapping[str, File], addresses: Addresses) -> None:
        """Remove the live build's files that this build lacks."""
        assert self.previous and self.previous.inputs
        index = self.previous.index(addresses)
        gone = [each for path in self.plan.delete for each in (path, page_data_path(path))]
        gone.append(f"{SHARED_PREFIX}{self.previous.inputs.shared}.json")  # this build's own is added later
        gone += _find_shared(store, before, index.to_try)
        known = self.previous.inputs.pages
        for name in {known[path].picture for path in self.touched if path in known} - {""}:
            if index.with_picture(name) <= self.touched:
                gone.append(name)
        for path in gone:
            self.files.pop(path, None)

    def manifest(self, created: str, release: int, web: str, headers: Mapping[str, str]) -> Manifest:
        return Manifest(
            site=self.site,
            build=self.inputs.build,
            release=release,
            web=web,
            created=created,
            html_headers=headers,
            files=self.files,
            redirects=self.redirects,
        )


def plan_site(
    site: str,
    previous: LiveBuild | None,
    known: BuildInputs | None,
    affected: Mapping[Page, Reasons] | None,
    gone: Iterable[str],
    release_view: ReleaseView,
    web: str,
    rules: str,
    shared: SharedFile,
    snapshot: Snapshot,
    lookup: SiteLookup,
    routes: RouteTable,
    addresses: Addresses,
    drawing: str,
    redirects: Mapping[str, Redirect],
    kept: Collection[str] = (),
    is_spliced: bool = False,
    accepted: Set[Hashable] = frozenset(),
) -> SiteBuild:
    """Plan a site's next build.

    ``known``: the inputs to compare with (None to render everything). ``affected``: the pages that may differ (None for
    all). ``gone``: paths without a page that may have had one. ``kept``: pages whose files stay, even if they differ.

    ``is_spliced``: the frame differs, so all other pages are reframed. ``accepted``: identities of problems that the
    build may go live with.
    """
    build = SiteBuild(
        site=site,
        previous=previous,
        inputs=BuildInputs("", release_view.release, release_view.mark, web, rules, shared.hash, release_view.blocked),
        shared=shared,
        lookup=lookup,
        drawing=drawing,
        routes=routes,
        plan=BuildPlan([], 0, []),
        redirects=redirects,
        problems=routes.problems(site),
        accepted=accepted,
    )
    reached: Collection[Page]
    if known is None or affected is None or previous is None:
        reached = list(routes.routes(site))
        gone = known.pages.keys() - {page.path for page in reached} if known else ()
    else:
        build.is_based, build.files = True, Overlay(previous.manifest.files)
        again = (routes.at(site, path) for path in previous.index(addresses).to_try)
        mine = (page for page in affected if routes.at(site, page.path) == page)
        reached = {*mine, *(page for page in again if page)}
    if known is None:
        build.plan = BuildPlan([page.path for page in reached], 0, [])
    else:
        build.inputs.layer, build.inputs.pages = known.layer, Overlay(known.pages)
        if not is_spliced:
            build.inputs.frame_links = known.frame_links
        digests: dict[str, str | None] = {}
        for page in snapshot.ahead(reached):
            data = page_content_bytes(page, build, snapshot, routes, addresses)
            if data is not None and len(build.contents) < _KEPT_CONTENTS:
                build.contents[page.path] = data
            digests[page.path] = None if data is None else content_digest(data)
        build.plan = plan_build(known.pages, digests, gone)
        build.digests = {path: digest for path in build.plan.render if (digest := digests[path])}
        build.contents = {path: build.contents[path] for path in build.plan.render if path in build.contents}
        for path in build.plan.delete:
            del build.inputs.pages[path]
    if previous and previous.inputs and kept:
        _keep(build, previous.inputs, kept, is_spliced)
    if is_spliced:
        _splice(build)
    build.touched = frozenset((*build.plan.render, *build.plan.delete))
    build.reached = frozenset(page.path for page in reached)
    return build


def _keep(build: SiteBuild, shown: BuildInputs, kept: Collection[str], is_spliced: bool) -> None:
    """Keep pages of the live build, instead of rendering or reframing them."""
    plan = build.plan
    build.stale = frozenset(kept) & {*plan.render, *build.failed, *(build.inputs.pages if is_spliced else ())}
    more = len(build.stale.intersection(plan.render))
    build.plan = BuildPlan([path for path in plan.render if path not in build.stale], plan.kept + more, plan.delete)
    if build.stale:
        build.inputs.frame_links |= shown.frame_links
    for path in build.stale:
        build.contents.pop(path, None)
        build.inputs.pages[path] = shown.pages.get(path, KnownPage(""))._replace(content="")
    build.problems = [problem for problem in build.problems if problem.subject.path not in build.stale]
    build.failed -= build.stale


def _splice(build: SiteBuild) -> None:
    """Reframe all pages that are not rendered.

    Home pages are rendered, because their data for search engines have offices and phones, which are in the frame.
    """
    plan = build.plan
    rest = build.inputs.pages.keys() - {*plan.render, *build.stale}
    homes = sorted(path for path in rest if build.page(path).template == _HOME)
    splice = sorted(rest.difference(homes))
    build.plan = BuildPlan([*plan.render, *homes], plan.kept - len(rest), plan.delete, splice)


def _make_sitemap(
    build: SiteBuild, store: ContentStore, before: Mapping[str, File], addresses: Addresses
) -> Mapping[str, bytes]:
    """Return sitemap files that may differ; remove unneeded parts from the build."""
    sitemap = Sitemap(build.site, build.routes, addresses)
    known = build.previous.inputs if build.previous else None
    if build.is_based and known:

        def read(path: str) -> bytes | None:
            return read_whole(store, before[path]) if path in before else None

        changed = sitemap.change(len(known.pages), build.reached | build.touched, read)
        gone = [path for path in build.files if is_part(path)] if changed is None else changed.gone
        for path in gone:
            del build.files[path]
        if changed is not None:
            return changed.files
    return sitemap.build()


def _redirect(redirects: Mapping[str, Redirect], path: str) -> Redirect | None:
    return redirects.get(path) or RedirectTable(redirects).find(path, lambda own: True)


def _find_shared(store: ContentStore, files: Mapping[str, File], pages: Iterable[str]) -> set[str]:
    """Return the URL paths of the shared data that these pages were made with."""
    found = set()
    for path in pages:
        file = files.get(page_data_path(path))
        data = orjson.loads((file and read_whole(store, file)) or b"{}")
        found.add(f"{SHARED_PREFIX}{data.get('shared')}.json")
    return found & files.keys()


def page_content_bytes(
    page: Page, build: SiteBuild, snapshot: Snapshot, routes: RouteTable, addresses: Addresses
) -> bytes | None:
    """Return the renderer's input.

    None if the page has a problem, which is added to the build's.
    """
    content, live_problems = resolve_with_problems(
        lambda lookup: build_page_content(page, snapshot, lookup, routes, addresses), build.lookup, build.accepted
    )
    build.live_problems += live_problems
    if isinstance(content, Problem):
        build.problems.append(content)
        build.failed.add(page.path)
        return None
    if build.drawing:
        picture = share_with_picture(content, page, addresses, build.drawing)
        if picture:
            build.pictures[page.path] = picture
    return orjson.dumps(content)


def content_digest(data: bytes) -> str:
    return sha256(data).hexdigest()[:32]
