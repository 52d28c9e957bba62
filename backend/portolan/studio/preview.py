"""Preview: shows a draft as if it were published. The editor's text is frozen, laid over the newest release and
rendered as in a publish, by a render worker of the studio's own. The result is shown on the studio's origin, where the
editor is signed in, so no script of the page may run there; pages work without. Only Wagtail's own script runs, which
checks the page in the panel beside the form.
"""

import re
import threading
from collections.abc import Iterable, Mapping
from typing import Any, Final, TypeVar

import orjson
from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.template.loader import render_to_string
from wagtail.admin.userbar import Userbar

from ..content.errors import FreezeError
from ..content.export import export_draft
from ..content.items import PAGE, ItemKey
from ..content.pages.base import SitePage
from ..domain.problems import Problem
from ..publisher.addresses import Addresses
from ..publisher.company_web_build import CompanyFiles, load_company_web_build
from ..publisher.lookup import SiteLookup
from ..publisher.page_content import build_page_content
from ..publisher.problem import UsageError
from ..publisher.render_worker import worker_command
from ..publisher.renderer import PageRequest, RenderedPage, RenderFailure, RenderPool
from ..publisher.route_table import RouteTable, build_route_table
from ..publisher.shared_data import build_shared_data
from ..publisher.snapshot import Snapshot
from ..publisher.web_build import WebBuild, content_type
from ..releases.reader import Item
from .newest_release import newest_release
from .problem_names import say_in_studio

_Value = TypeVar("_Value")
_OWN_LINK: Final = re.compile(rb'<a(?=\s)([^>]*) href="(/[^"]*)"')
_SCRIPT: Final = re.compile(rb"<script\b.*?</script>", re.DOTALL)
_POLICY: Final = (
    "default-src 'none'; script-src {checks}; style-src 'self'{inline}; img-src 'self'; font-src 'self'; "
    "media-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'"
)


def connect() -> None:
    SitePage.show_draft = staticmethod(show_draft)


def show_draft(page: SitePage, request: HttpRequest) -> HttpResponse:
    """The page as visitors would see it, or the problems that prevent that."""
    try:
        return _draw(page, request)
    except FreezeError as error:
        return _explain(page, say_in_studio(error.problems))
    except UsageError as error:
        return _explain(page, [str(error)])


def show_asset(request: HttpRequest, name: str) -> HttpResponse:
    """A file of the web build: previews show it by the path that it has on the sites."""
    web = _load_web()
    path = f"/assets/{name}"
    if path not in web.files:
        raise Http404(f"The web build has no {path}.")
    response = HttpResponse((web.dist / web.files[path]).read_bytes(), content_type=content_type(path))
    response["Cache-Control"] = "public, max-age=31536000, immutable"
    return response


def _load_web() -> WebBuild:
    return load_company_web_build(
        settings.WEB_DIST, CompanyFiles(settings.SITES_REGISTRY.brand, settings.PUBLIC_DIR), settings.WEB_CACHE
    )


class _Previewer:
    """A warm render worker, for one preview at a time."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self._web: WebBuild | None = None
        self._pool: RenderPool | None = None

    def web(self) -> WebBuild:
        """The web build. If it has changed, the worker is replaced too."""
        web = _load_web()
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


_previewer: Final = _Previewer()


def stop() -> None:
    """End the render worker."""
    with _previewer.lock:
        _previewer.stop()


def _draw(page: SitePage, request: HttpRequest) -> HttpResponse:
    items = export_draft(page)
    addresses = Addresses(settings.SITES_REGISTRY, settings.ENVIRONMENT, settings.PORT)
    key = next(key for key in items if key.kind == PAGE)
    with _previewer.lock:
        web = _previewer.web()
        snapshot = newest_release(_unsaved(items))
        if snapshot is None:
            raise UsageError("Nothing has been published yet, so there is no menu and no footer to show a page with.")
        html = _render(key, snapshot, addresses, _previewer.pool(web))
    link = rb'<a\1 target="_blank" href="%b\2"' % addresses.origin(key.site).encode()
    html = _OWN_LINK.sub(link, _SCRIPT.sub(b"", html))
    if getattr(request, "in_preview_panel", False):
        checks = Userbar(object=page).render_html({"request": request})
        html = html.replace(b"</body>", f"{checks}</body>".encode())
    response = HttpResponse(html)
    response["Content-Security-Policy"] = _POLICY.format(
        checks=f"{settings.WAGTAILADMIN_BASE_URL}{settings.STATIC_URL}wagtailadmin/js/",
        inline=" 'unsafe-inline'" if web.inline_styles else "",
    )
    return response


def _unsaved(items: Mapping[ItemKey, Any]) -> Iterable[Item]:
    return [Item(*key, digest="", body=orjson.dumps(body)) for key, body in items.items()]


def _render(key: ItemKey, snapshot: Snapshot, addresses: Addresses, pool: RenderPool) -> bytes:
    routes = _find_routes(key, snapshot, addresses)
    lookup = SiteLookup(key.site, snapshot, routes, addresses)
    page = routes.page(key.site, key.key)
    assert page
    shared = _expect(build_shared_data(key.site, snapshot, lookup, addresses))
    content = _expect(build_page_content(page, snapshot, lookup, routes, addresses))
    pool.add_shared(shared.hash, shared.data)
    request = PageRequest(key.site, page.path, page.title, shared.hash, orjson.dumps(content), brotli=0)
    (answer,) = pool.render([request])
    pool.forget_shared([shared.hash])
    if isinstance(answer, RenderFailure):
        raise UsageError(f"The page {answer.what}.")
    assert isinstance(answer, RenderedPage)
    return answer.html


def _find_routes(key: ItemKey, snapshot: Snapshot, addresses: Addresses) -> RouteTable:
    """All pages that a page can link to: those of its site and of the default site, its translations, home pages."""
    sites = (key.site, addresses.registry.default_site.key)
    found = (*snapshot.pages(sites), *snapshot.translations([key.key]), *snapshot.pages_at("/"))
    return build_route_table(dict.fromkeys(found), addresses)


def _expect(outcome: _Value | Problem) -> _Value:
    if isinstance(outcome, Problem):
        raise FreezeError([outcome])
    return outcome


def _explain(page: SitePage, problems: Iterable[str]) -> HttpResponse:
    return HttpResponse(render_to_string("studio/preview_problems.html", {"page": page, "problems": list(problems)}))
