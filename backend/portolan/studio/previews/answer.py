"""Answer all URLs of a site in a preview.

These are pages and their data, files of the web build, media, fixed files, and the preview's own URLs. Of everything
that visitors send, only comments are stored.
"""

import secrets
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final, NamedTuple

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from ...api.client_limits import CacheCounts
from ...content.errors import SnapshotError
from ...domain.client_limits import take_share
from ...domain.consent import CONSENT_PATH
from ...domain.plain_forms import FORM_PATH
from ...domain.previews import ABOUT, BAR, BAR_STYLE, COMMENTS, OWN_PATHS
from ...domain.redirects import GONE, PERMANENT
from ...domain.routes import page_data_path, page_of_data
from ...edge.redirects import choose_redirect, location
from ...edge.site_files import NOT_FOUND_PAGE
from ...publisher.problem import UsageError
from ...publisher.shared_data import SHARED_PREFIX
from ...publisher.web_build import content_type
from ...publisher.well_known import build_fixed_files, build_html_headers
from ...releases.index import Page
from ..drawing import load_web
from ..problem_names import say_in_studio
from .about import describe
from .addresses import preview_addresses, with_secret
from .comments import take_comment
from .former import find_former
from .media import answer_media
from .models import Preview
from .overlay import Overlay
from .pages import DrawnPage, draw_at, find_page, is_drawn, read_shared
from .refusal import refuse

NOTHING_SENT: Final = gettext_lazy("This is a preview: forms send nothing.")
_OWN_FILES: Final = {BAR: "text/javascript; charset=utf-8", BAR_STYLE: "text/css; charset=utf-8"}
_FOLDER: Final = Path(__file__).parents[1] / "static" / "preview"
_KEPT: Final = "private, max-age=3600"
_IMMUTABLE: Final = "public, max-age=31536000, immutable"
_JSON: Final = "application/json"
_DRAWN_A_MINUTE: Final = 120
"""The most renderings a minute for one link, because editors share the render worker."""


class Answering(NamedTuple):
    """The preview of a request, and the site of its host."""

    preview: Preview
    overlay: Overlay
    site: str
    secret: str


def answer_file_or_page(request: HttpRequest, at: Answering) -> HttpResponseBase:
    path = request.path
    if path == COMMENTS:
        return take_comment(request, at.preview, at.overlay, at.site)
    if path == CONSENT_PATH and request.method == "POST":
        return HttpResponse(status=204)  # the choice is valid in this browser and not recorded
    if path == FORM_PATH and request.method == "POST":
        return refuse(200, _("Nothing was sent"), str(NOTHING_SENT))
    if request.method not in ("GET", "HEAD"):
        return HttpResponse(NOTHING_SENT, status=405, content_type="text/plain; charset=utf-8")
    for prefix, answer in _BY_PREFIX.items():
        if path.startswith(prefix):
            return answer(request, at) or _missing()
    return _file(path, at) or _page(request, path, at)


def _missing() -> HttpResponse:
    return HttpResponse(_("This URL does not exist."), status=404, content_type="text/plain; charset=utf-8")


def _file(path: str, at: Answering) -> HttpResponse | None:
    """Return a file of the site that is not a page."""
    web = load_web()
    if path in web.files and path != "/sw.js":
        return HttpResponse((web.dist / web.files[path]).read_bytes(), content_type=content_type(path))
    found = build_fixed_files(at.site, web.hash, preview_addresses()).get(path)
    return found and HttpResponse(with_secret(found[0], at.secret), content_type=found[1])


def _asset(request: HttpRequest, at: Answering) -> HttpResponse | None:
    response = _file(request.path, at)
    if response is not None:
        response["Cache-Control"] = _IMMUTABLE
    return response


def _own(request: HttpRequest, at: Answering) -> HttpResponse | None:
    if request.path == ABOUT:
        path = request.GET.get("path", "/")
        page = find_page(at.overlay, at.site, path)
        return HttpResponse(describe(at.preview, at.overlay, at.site, page), content_type=_JSON)
    return own_file(request.path)


def own_file(path: str) -> HttpResponse | None:
    """Return a file of the bar or of refusals. These files have no secrets."""
    if path not in _OWN_FILES:
        return None
    return HttpResponse((_FOLDER / path.rsplit("/", 1)[1]).read_bytes(), content_type=_OWN_FILES[path])


def _media(request: HttpRequest, at: Answering) -> HttpResponseBase | None:
    response = answer_media(request.path, at.overlay)
    if response is not None:
        response["Cache-Control"] = _KEPT
    return response


def _data(request: HttpRequest, at: Answering) -> HttpResponse | None:
    path = request.path
    if path.startswith(SHARED_PREFIX) and path.endswith(".json"):
        hash = path.removeprefix(SHARED_PREFIX).removesuffix(".json")
        data = read_shared(at.overlay, at.site, hash, preview_addresses())
        return HttpResponse(with_secret(data, at.secret), content_type=_JSON) if data else None
    name = page_of_data(path)
    if name is None:
        return _file(path, at)
    page = find_page(at.overlay, at.site, name)
    if page is None:
        return _redirect_data(name, at)
    drawn = _draw(page, at)
    return drawn if isinstance(drawn, HttpResponse) else _send(with_secret(drawn.data, at.secret), _JSON)


def _redirect_data(name: str, at: Answering) -> HttpResponse | None:
    target = _choose(name, at) or ((former := find_former(at.overlay, at.site, name)) and former.target)
    if target and find_page(at.overlay, at.site, target):
        return _redirect(PERMANENT, page_data_path(target), at)
    return None


_BY_PREFIX: Final[dict[str, Callable[[HttpRequest, Answering], HttpResponseBase | None]]] = {
    OWN_PATHS: _own,
    "/__": lambda request, at: None,  # captchas and third-party scripts are off in previews
    "/assets/": _asset,
    "/media/": _media,
    "/page-data/": _data,
}
"""The first matching prefix is used."""


def _page(request: HttpRequest, path: str, at: Answering) -> HttpResponse:
    page = find_page(at.overlay, at.site, path)
    status = 200
    if page is None:
        query = request.META.get("QUERY_STRING", "").encode()
        if target := _choose(path, at):
            return _redirect(PERMANENT, target, at, query)
        former = find_former(at.overlay, at.site, path)
        if former and former.status != GONE:
            return _redirect(former.status, former.target, at, query)
        status = GONE if former else 404
        page = find_page(at.overlay, at.site, NOT_FOUND_PAGE)
        if page is None:
            return refuse(status, _("Page not found"), _("The site has no page at this URL in this preview."))
    drawn = _draw(page, at)
    return drawn if isinstance(drawn, HttpResponse) else _show(drawn, status, at)


def _choose(path: str, at: Answering) -> str | None:
    return choose_redirect(path, lambda spelt: find_page(at.overlay, at.site, spelt) is not None)


def _redirect(status: int, target: str, at: Answering, query: bytes = b"") -> HttpResponse:
    where = with_secret(location(target, query), at.secret)
    return HttpResponse(status=status, headers={"Location": where.decode("ascii")})


def _draw(page: Page, at: Answering) -> DrawnPage | HttpResponse:
    if at.preview.is_link and not is_drawn(at.overlay, page):
        counts = CacheCounts("preview-drawings")
        if wait := take_share(counts, str(at.preview.pk), _DRAWN_A_MINUTE, time.time()):
            says = ngettext("Try again in {} second.", "Try again in {} seconds.", wait).format(wait)
            return refuse(429, _("Too many pages at once"), says)
    try:
        return draw_at(at.overlay, page, preview_addresses())
    except SnapshotError as error:
        reasons = [] if at.preview.is_link else say_in_studio(error.problems)
    except UsageError as error:
        reasons = [] if at.preview.is_link else [str(error)]
    return refuse(409, _("This page cannot be shown yet"), _("Some content is not finished."), reasons)


def _show(drawn: DrawnPage, status: int, at: Answering) -> HttpResponse:
    nonce = secrets.token_urlsafe(16)
    bar = f'<script src="{BAR}" nonce="{nonce}" defer></script></body>'.encode()
    html = with_secret(drawn.html, at.secret).replace(b"</body>", bar, 1)
    response = _send(html, "text/html; charset=utf-8", status)
    response["Content-Language"] = settings.SITES_REGISTRY.sites[at.site].language
    for name, value in build_html_headers(load_web(), preview_addresses(), at.site).items():
        response[name] = value
    policy = response["Content-Security-Policy"]
    policy = policy.replace("script-src 'self'", f"script-src 'self' 'nonce-{nonce}'", 1)
    response["Content-Security-Policy"] = policy.replace(
        "frame-ancestors 'none'", f"frame-ancestors {settings.WAGTAILADMIN_BASE_URL}"
    )
    response["Cross-Origin-Opener-Policy"] = "same-origin"
    response["Permissions-Policy"] = "camera=(), geolocation=(), microphone=(), payment=(), usb=()"
    return response


def _send(body: bytes, type: str, status: int = 200) -> HttpResponse:
    return HttpResponse(body, status=status, content_type=type)
