"""Render drafts as a publish would, with a warm render worker of the studio.

The editor's items are laid over the newest release. Previews show the page, and checks read it.
"""

import threading
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final, NamedTuple, TypeVar

import orjson
from django.conf import settings

from ..builds.store import ContentStore
from ..content.errors import SnapshotError
from ..content.items import PAGE, ItemKey
from ..domain.problems import Problem, RenderingFailed
from ..publisher.addresses import Addresses
from ..publisher.company_web_build import CompanyFiles, load_company_web_build
from ..publisher.lookup import SiteLookup
from ..publisher.page_content import build_page_content
from ..publisher.problem import UsageError
from ..publisher.render_worker import worker_command
from ..publisher.renderer import Answer, PageRequest, RecordedPage, RenderedPage, RenderFailure, RenderPool
from ..publisher.route_table import RouteTable, build_route_table, subject_of
from ..publisher.shared_data import SharedFile, build_shared_data
from ..publisher.snapshot import Snapshot
from ..publisher.web_build import WebBuild
from ..releases.index import Page, chunks
from ..releases.reader import Item
from .newest_release import newest_release

_Value = TypeVar("_Value")
_AT_ONCE: Final = 12
"""Pages to render before another editor's preview has its turn."""


class WholePage(NamedTuple):
    """A page with its data for the front end."""

    html: bytes
    """Each block has its ID (``data-block``)."""
    data: bytes
    """Its page data, as a publish would store it."""
    content: Mapping[str, Any]
    shared: SharedFile


class Drawing(NamedTuple):
    """A rendered page of a draft, with its inputs."""

    page: Page
    rendered: RenderedPage
    content: Mapping[str, Any]
    shared: SharedFile
    snapshot: Snapshot
    routes: RouteTable
    """Pages of its site and the default site, its translations, and home pages."""
    addresses: Addresses
    web: WebBuild


def load_web() -> WebBuild:
    registry = settings.SITES_REGISTRY
    company = CompanyFiles(registry.brand, settings.PUBLIC_DIR, registry.company.islands)
    return load_company_web_build(settings.WEB_DIST, company, settings.WEB_CACHE)


class _Artist:
    """A warm render worker for one rendering at a time."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self._web: WebBuild | None = None
        self._pool: RenderPool | None = None

    def web(self) -> WebBuild:
        """Return the web build. If it has changed, replace the worker too."""
        web = load_web()
        if self._web is None or web.hash != self._web.hash:
            self.stop()
            self._web = web
        return web

    def pool(self, web: WebBuild) -> RenderPool:
        if self._pool is None:
            self._pool = RenderPool(worker_command(web.worker), workers=1, cache=settings.NODE_CACHE_DIR)
        return self._pool

    def stop(self) -> None:
        if self._pool is not None:
            self._pool.close()
        self._pool = None


_artist: Final = _Artist()


def stop() -> None:
    """End the render worker."""
    with _artist.lock:
        _artist.stop()


def lay_over_newest(items: Mapping[ItemKey, Any]) -> Snapshot | None:
    """Return the newest release with these bodies over it; ``None`` before the first release."""
    return newest_release(Item(*key, digest="", body=orjson.dumps(body)) for key, body in items.items())


def draw(items: Mapping[ItemKey, Any], key: ItemKey | None = None) -> Drawing:
    """Render the page ``key`` with ``items`` laid over the newest release. Without a key, render the page among the
    items.

    Raises SnapshotError for problems of the content, and UsageError if rendering is not possible here.
    """
    addresses = Addresses(settings.SITES_REGISTRY, settings.ENVIRONMENT, settings.PORT)
    page = key or next(key for key in items if key.kind == PAGE)
    with _artist.lock:
        web = _artist.web()
        snapshot = lay_over_newest(items)
        if snapshot is None:
            raise UsageError(
                "The preview needs a menu and a footer, and nothing is published yet. Publish a page first."
            )
        routes = _find_routes([page], snapshot, addresses)
        (drawing,) = _render([page], snapshot, routes, addresses, web, _artist.pool(web))
    if isinstance(drawing, SnapshotError):
        raise drawing
    return drawing


def draw_all(items: Mapping[ItemKey, Any], keys: Iterable[ItemKey]) -> Iterator[Drawing | SnapshotError]:
    """Render several pages; yield each result or its error, in order.

    This is cheaper than ``draw``, because shared data is read once. Raises UsageError if rendering is not possible
    here.
    """
    pages = list(keys)
    addresses = Addresses(settings.SITES_REGISTRY, settings.ENVIRONMENT, settings.PORT)
    snapshot = lay_over_newest(items)
    if snapshot is None:
        raise UsageError("The preview needs a menu and a footer, and nothing is published yet. Publish a page first.")
    routes = _find_routes(pages, snapshot, addresses)
    for some in chunks(pages, _AT_ONCE):
        with _artist.lock:
            web = _artist.web()
            drawn = _render(some, snapshot, routes, addresses, web, _artist.pool(web))
        yield from drawn


def draw_whole(page: Page, snapshot: Snapshot, addresses: Addresses) -> WholePage:
    """Render a page of ``snapshot`` with its page data. Raises the same errors as ``draw``."""
    with _artist.lock, TemporaryDirectory() as folder:
        web = _artist.web()
        pool = _artist.pool(web)
        routes = _find_routes([ItemKey(page.site, PAGE, page.key)], snapshot, addresses)
        content, shared = _prepare(page, snapshot, routes, addresses)
        store = ContentStore(
            Path(folder)
        )  # a temporary store, because the render worker can only write page data to a store
        Path(store.folder).mkdir()
        shown, stored = _ask(pool, page, content, shared), _ask(pool, page, content, shared, str(store.folder))
        assert isinstance(shown, RenderedPage) and isinstance(stored, RecordedPage)
        data = store.read(stored.data.digest)
        assert data is not None
        return WholePage(shown.html, data, content, shared)


def build_shared(site: str, snapshot: Snapshot, addresses: Addresses) -> SharedFile:
    """Return the data that all pages of a site share. Raises SnapshotError."""
    found = (*snapshot.pages((site, addresses.registry.default_site.key)), *snapshot.pages_at("/"))
    routes = build_route_table(dict.fromkeys(found), addresses)
    return _expect(build_shared_data(site, snapshot, SiteLookup(site, snapshot, routes, addresses), addresses))


def _render(
    keys: Sequence[ItemKey],
    snapshot: Snapshot,
    routes: RouteTable,
    addresses: Addresses,
    web: WebBuild,
    pool: RenderPool,
) -> list[Drawing | SnapshotError]:
    """Return the results in the order of the keys. The worker renders one page while the next is prepared."""
    found: dict[ItemKey, Drawing | SnapshotError] = {}
    prepared: dict[int, tuple[ItemKey, Page, dict[str, Any], SharedFile]] = {}
    of_sites: dict[str, tuple[SiteLookup, SharedFile]] = {}

    def ask() -> Iterator[PageRequest]:
        for key in keys:
            page = routes.page(key.site, key.key)
            assert page
            try:
                if key.site not in of_sites:
                    of_sites[key.site] = _prepare_site(key.site, snapshot, routes, addresses)
                lookup, shared = of_sites[key.site]
                content = _expect(build_page_content(page, snapshot, lookup, routes, addresses))
            except SnapshotError as error:
                found[key] = error
                continue
            pool.add_shared(shared.hash, shared.data)
            request = _request(page, content, shared)
            prepared[id(request)] = key, page, content, shared
            yield request

    for answer in pool.render(ask()):
        key, page, content, shared = prepared[id(answer.request)]
        if isinstance(answer, RenderFailure):
            found[key] = SnapshotError([Problem(subject_of(page), RenderingFailed(answer.what))])
        else:
            assert isinstance(answer, RenderedPage)
            found[key] = Drawing(page, answer, content, shared, snapshot, routes, addresses, web)
    pool.forget_shared(shared.hash for _, shared in of_sites.values())
    return [found[key] for key in keys]


def _prepare(
    page: Page, snapshot: Snapshot, routes: RouteTable, addresses: Addresses
) -> tuple[dict[str, Any], SharedFile]:
    """Return the page's content and the shared data."""
    lookup, shared = _prepare_site(page.site, snapshot, routes, addresses)
    return _expect(build_page_content(page, snapshot, lookup, routes, addresses)), shared


def _prepare_site(
    site: str, snapshot: Snapshot, routes: RouteTable, addresses: Addresses
) -> tuple[SiteLookup, SharedFile]:
    lookup = SiteLookup(site, snapshot, routes, addresses)
    return lookup, _expect(build_shared_data(site, snapshot, lookup, addresses))


def _ask(pool: RenderPool, page: Page, content: Mapping[str, Any], shared: SharedFile, store: str = "") -> Answer:
    pool.add_shared(shared.hash, shared.data)
    (answer,) = pool.render([_request(page, content, shared, store)])
    pool.forget_shared([shared.hash])
    if isinstance(answer, RenderFailure):
        raise SnapshotError([Problem(subject_of(page), RenderingFailed(answer.what))])
    return answer


def _request(page: Page, content: Mapping[str, Any], shared: SharedFile, store: str = "") -> PageRequest:
    return PageRequest(page.site, page.path, page.title, shared.hash, orjson.dumps(content), 0, store)


def _find_routes(keys: Iterable[ItemKey], snapshot: Snapshot, addresses: Addresses) -> RouteTable:
    """Return the routes to all pages that these pages can link to."""
    pages = list(keys)
    sites = {*(key.site for key in pages), addresses.registry.default_site.key}
    found = (*snapshot.pages(sites), *snapshot.translations(key.key for key in pages), *snapshot.pages_at("/"))
    return build_route_table(dict.fromkeys(found), addresses)


def _expect(outcome: _Value | Problem) -> _Value:
    if isinstance(outcome, Problem):
        raise SnapshotError([outcome])
    return outcome
