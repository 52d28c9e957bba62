"""Show a draft as if it were published.

The preview is on the studio's origin, where the editor is signed in, so the page's scripts are removed. Only Wagtail's
script for page checks runs.
"""

import re
from collections.abc import Iterable, Mapping
from typing import Any, Final

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.template.loader import render_to_string
from wagtail.admin.userbar import Userbar

from ..content.collections.base import Entry
from ..content.drafts import Drafted
from ..content.errors import SnapshotError
from ..content.export import export_draft, export_unsaved
from ..content.items import PAGE, ItemKey
from ..content.pages.base import SitePage
from ..content.site_setting import SiteSetting
from ..publisher.problem import UsageError
from ..publisher.web_build import content_type
from .drawing import draw, lay_over_newest, load_web
from .preview_place import find_place
from .problem_names import say_in_studio

_OWN_LINK: Final = re.compile(rb'<a(?=\s)([^>]*) href="(/[^"]*)"')
_SCRIPT: Final = re.compile(rb"<script\b.*?</script>", re.DOTALL)
_POLICY: Final = (
    "default-src 'none'; script-src {checks}; style-src 'self'{inline}; img-src 'self'; font-src 'self'; "
    "media-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'"
)


def connect() -> None:
    SitePage.show_draft = staticmethod(show_draft)
    Drafted.show_draft = staticmethod(show_row)


def show_draft(page: SitePage, request: HttpRequest) -> HttpResponse:
    """Return the page as visitors would see it, or its problems."""
    try:
        items = export_draft(page)
        return _show(items, next(key for key in items if key.kind == PAGE), page, request)
    except SnapshotError as error:
        return _explain(page, say_in_studio(error.problems))
    except UsageError as error:
        return _explain(page, [str(error)])


def show_row(row: Drafted, request: HttpRequest) -> HttpResponse:
    """Return a page that shows this entry, menu, footer or rate card.

    This is a page that uses it, or the home page of its site.
    """
    if not isinstance(row, Entry | SiteSetting):
        raise Http404("This item is not on any page, so it has no preview.")
    try:
        items = export_unsaved(row)
        snapshot = lay_over_newest(items)
        place = find_place(row, items, snapshot) if snapshot else None
        if place is None:
            raise UsageError("No page shows this yet. Add a place or a translation to preview it.")
        return _show(items, place, row, request)
    except SnapshotError as error:
        return _explain(row, say_in_studio(error.problems))
    except UsageError as error:
        return _explain(row, [str(error)])


def show_asset(request: HttpRequest, name: str) -> HttpResponse:
    """Return a file of the web build, at the same path as on the sites."""
    web = load_web()
    path = f"/assets/{name}"
    if path not in web.files:
        raise Http404(f"The web build has no {path}.")
    response = HttpResponse((web.dist / web.files[path]).read_bytes(), content_type=content_type(path))
    response["Cache-Control"] = "public, max-age=31536000, immutable"
    return response


def _show(items: Mapping[ItemKey, Any], key: ItemKey, drawn: SitePage | Drafted, request: HttpRequest) -> HttpResponse:
    """Return the page ``key`` with these items laid over the newest release."""
    drawing = draw(items, key)
    link = rb'<a\1 target="_blank" href="%b\2"' % drawing.addresses.origin(drawing.page.site).encode()
    html = _OWN_LINK.sub(link, _SCRIPT.sub(b"", drawing.rendered.html))
    if getattr(request, "in_preview_panel", False):
        checks = Userbar(object=drawn).render_html({"request": request})
        html = html.replace(b"</body>", f"{checks}</body>".encode())
    response = HttpResponse(html)
    response["Content-Security-Policy"] = _POLICY.format(
        checks=f"{settings.WAGTAILADMIN_BASE_URL}{settings.STATIC_URL}wagtailadmin/js/",
        inline=" 'unsafe-inline'" if drawing.web.inline_styles else "",
    )
    return response


def _explain(page: SitePage | Drafted, problems: Iterable[str]) -> HttpResponse:
    return HttpResponse(render_to_string("studio/preview_problems.html", {"page": page, "problems": list(problems)}))
