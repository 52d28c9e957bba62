"""One site during a publish: its last build, what the next one renders, and its files."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Final, NamedTuple

import orjson

from ..builds.manifest import BuildError, File, Manifest, read_manifest
from ..builds.store import ContentStore
from ..domain.problems import Problem
from ..domain.redirects import Redirect, RedirectTable
from ..domain.routes import OFFLINE_PAGE, page_data_path
from ..releases.edition import Edition
from ..releases.index import Page
from .addresses import Addresses
from .build_inputs import BuildInputs, read_inputs
from .lookup import SiteLookup
from .page_content import build_page_content, share_with_picture
from .plan import BuildPlan, plan_build
from .reasons import Cause, Reason, Reasons
from .renderer import RecordedPage
from .route_table import RouteTable
from .service_worker import SERVICE_WORKER, build_service_worker
from .shared_data import SHARED_PREFIX, SharedFile
from .sharing import SharingPicture
from .sitemap import Sitemap
from .snapshot import Snapshot
from .translations import pack_translations
from .web_build import WebBuild
from .well_known import build_site_files

_KEPT_CONTENTS: Final = 500
"""Page contents that a plan keeps for the renderer. Where it compares more, the others are built again."""
_HTML: Final = "text/html; charset=utf-8"
_JSON: Final = "application/json"
_SCRIPT: Final = "text/javascript; charset=utf-8"


@dataclass(slots=True)
class LiveBuild:
    """A site's live build in memory. ``inputs`` and ``sitemap`` are missing if the build's inputs are not known."""

    manifest: Manifest
    inputs: BuildInputs | None
    sitemap: Sitemap | None = None


def read_live_build(root: Path, site: str, build: str) -> LiveBuild | None:
    """None if its manifest is damaged: the next publish then renders the whole site."""
    try:
        return LiveBuild(read_manifest(root, site, build), read_inputs(root, site, build))
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
    pages: dict[str, Page]
    """All routes, by path."""
    plan: BuildPlan
    sitemap: Sitemap
    redirects: Mapping[str, Redirect]
    contents: dict[str, bytes] = field(default_factory=dict)
    """Page content of some of the pages to render, which was built already to compare digests."""
    drawing: str = ""
    """``WebBuild.drawing``."""
    pictures: dict[str, SharingPicture] = field(default_factory=dict)
    """Sharing pictures of the pages whose page content was built, by path."""
    touched: frozenset[str] = frozenset()
    """Paths to render and to delete."""
    links: dict[str, set[str]] = field(default_factory=dict)
    """``BuildInputs.links`` of the rendered pages."""
    files: dict[str, File] = field(default_factory=dict)
    failed: set[str] = field(default_factory=set)
    """Pages that have no page content."""
    stale: frozenset[str] = frozenset()
    """Pages that are kept although they may differ: the next publish tries them again."""
    every: Reasons = ()
    """Why any page may differ; empty where it is known which may."""
    affected: Mapping[Page, Reasons] = field(default_factory=dict)
    """Else the pages that may, of this site and others."""
    problems: list[Problem] = field(default_factory=list)
    bytes: int = 0

    def reasons(self, path: str) -> Reasons:
        """Why a page is rendered. Never empty."""
        if self.every:
            return self.every
        known = self.previous.inputs if self.previous else None
        again = (Reason(Cause.AGAIN),) if known and known.pages.get(path) == "" else ()
        return (*self.affected.get(self.pages[path], ()), *again) or (Reason(Cause.UNCERTAIN),)

    def differs_at(self, path: str) -> bool:
        """Whether this build may answer something else at a path than the live one."""
        before = self.previous.manifest.redirects if self.previous else {}
        if path in self.touched:
            return True
        if self.redirects is before:  # as after most edits; looking one up costs a walk over all of them
            return False
        return self._redirect(self.redirects, path) != self._redirect(before, path)

    @staticmethod
    def _redirect(redirects: Mapping[str, Redirect], path: str) -> Redirect | None:
        return redirects.get(path) or RedirectTable(redirects).find(path, lambda own: True)

    def take_record(self, page: RecordedPage) -> RenderedFiles:
        """The files that the renderer has stored."""
        self.bytes += page.html.size + page.data.size
        return RenderedFiles(
            File(page.html.digest, _HTML, page.html.size), File(page.data.digest, _JSON, page.data.size)
        )

    def add_page(
        self, page: Page, files: RenderedFiles, cross_page_links: Iterable[str], translations: Iterable[Page]
    ) -> None:
        path = page.path
        if path in self.pictures:
            self.inputs.pictures[path] = self.pictures[path].path
        if page.template != "error":
            self.inputs.translations[path] = pack_translations(page, translations)
        self.files[path], self.files[page_data_path(path)] = files
        for url in cross_page_links:
            self.links.setdefault(url, set()).add(path)

    def finish(
        self,
        store: ContentStore,
        web: WebBuild,
        web_files: Mapping[str, File],
        addresses: Addresses,
        pictures: Mapping[str, File],
    ) -> None:
        """Add the remaining files and inputs once all pages are rendered. ``pictures``: sharing pictures by URL path,
        drawn now or earlier.
        """
        for url, paths in self.links.items():
            self.inputs.links[url] = self.inputs.links.get(url, set()) | paths
        year = int(self.lookup.placeholder("year") or 0)
        site_files = build_site_files(self.site, self.sitemap, web.hash, addresses, year)
        site_files[self.shared.path] = (self.shared.data, _JSON)
        for path, (data, content_type) in site_files.items():
            self.files[path] = File(store.put(data), content_type, len(data))
        self.files |= web_files
        if self.previous:
            before = self.previous.manifest.files
            for path in self.plan.keep:
                self.files[path] = before[path]
                self.files[page_data_path(path)] = before[page_data_path(path)]
            for path in self.stale:  # they go on with the shared data they were made with
                data = orjson.loads(store.read(before[page_data_path(path)].digest) or b"{}")
                shared = f"{SHARED_PREFIX}{data.get('shared')}.json"
                if shared in before:
                    self.files[shared] = before[shared]
        for name in self.inputs.pictures.values():
            if name in pictures:  # else it failed, and is a problem
                self.files[name] = pictures[name]
            elif self.previous and (known := self.previous.manifest.file(name)):
                self.files[name] = File(*known[:3])
        worker = build_service_worker(self.site, web, self.files.get(OFFLINE_PAGE), addresses)
        if worker is not None:
            self.files[SERVICE_WORKER] = File(store.put(worker), _SCRIPT, len(worker))

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
    edition: Edition,
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
) -> SiteBuild:
    """Plan a site's next build.

    ``known`` are the inputs to compare with (none: render everything), ``affected`` the pages a change may have reached
    (none: all of them), ``kept`` the pages whose files stay as they are, whatever differs.
    """
    pages = {page.path: page for page in routes.routes(site)}
    build = SiteBuild(
        site=site,
        previous=previous,
        inputs=BuildInputs("", edition.release, edition.mark, web, rules, shared.hash, edition.held),
        shared=shared,
        lookup=lookup,
        drawing=drawing,
        pages=pages,
        plan=BuildPlan(list(pages), [], []),
        sitemap=Sitemap(),
        redirects=redirects,
        problems=routes.problems(site),
    )
    reached = list(pages.values())
    if known is not None:
        if affected is not None:
            tried = {path for path, digest in known.pages.items() if not digest}
            reached = [
                page
                for page in {*affected, *(pages[path] for path in tried & pages.keys())}
                if page.site == site and pages.get(page.path) == page
            ]
        digests = dict(known.pages)
        for page in snapshot.ahead(reached):
            data = page_content_bytes(page, build, snapshot, routes, addresses)
            if data is not None:
                if len(build.contents) < _KEPT_CONTENTS:
                    build.contents[page.path] = data
                digests[page.path] = content_digest(data)
        build.plan = plan_build(known.pages, digests, pages)
        build.inputs.pages = {path: digest for path, digest in digests.items() if path in pages}
        build.contents = {path: build.contents[path] for path in build.plan.render if path in build.contents}
        build.inputs.links = _links_kept(known, {*build.plan.render, *build.plan.delete})
        build.inputs.pictures = {path: known.pictures[path] for path in build.plan.keep if path in known.pictures}
        build.inputs.translations = {
            path: known.translations[path] for path in build.plan.keep if path in known.translations
        }
        if previous and previous.sitemap:
            build.sitemap = previous.sitemap.copy()
        else:
            reached = list(pages.values())
    if previous and previous.inputs and kept:
        _keep(build, previous.inputs, kept)
    build.touched = frozenset((*build.plan.render, *build.plan.delete))
    build.sitemap.update(reached, build.plan.delete, routes, addresses)
    return build


def _keep(build: SiteBuild, shown: BuildInputs, kept: Collection[str]) -> None:
    """Keep pages as the live build has them, instead of rendering them."""
    build.stale = frozenset(kept) & {*build.plan.render, *build.failed}
    build.plan = BuildPlan(
        [path for path in build.plan.render if path not in build.stale],
        [*build.plan.keep, *sorted(build.stale.difference(build.plan.keep))],
        build.plan.delete,
    )
    for path in build.stale:
        build.contents.pop(path, None)
        build.inputs.pages[path] = ""
        if path in shown.pictures:
            build.inputs.pictures[path] = shown.pictures[path]
        if path in shown.translations:
            build.inputs.translations[path] = shown.translations[path]
    for url, paths in shown.links.items():
        if links := paths & build.stale:
            build.inputs.links[url] = build.inputs.links.get(url, set()) | links
    build.problems = [problem for problem in build.problems if problem.subject.path not in build.stale]
    build.failed -= build.stale


def page_content_bytes(
    page: Page, build: SiteBuild, snapshot: Snapshot, routes: RouteTable, addresses: Addresses
) -> bytes | None:
    """The renderer's input. None if the page has a problem, which is then added to the build's."""
    content = build_page_content(page, snapshot, build.lookup, routes, addresses)
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


def _links_kept(known: BuildInputs, touched: set[str]) -> dict[str, set[str]]:
    """Links of the pages that are kept. A set that does not change is shared with the old build, not copied."""
    kept = {url: paths if paths.isdisjoint(touched) else paths - touched for url, paths in known.links.items()}
    return {url: paths for url, paths in kept.items() if paths}
