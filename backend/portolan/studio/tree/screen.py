"""The screen of the page tree: show it, load child pages, and reorder siblings."""

from typing import Any, Final

from django.conf import settings
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.template.response import TemplateResponse
from django.urls import URLPattern, path, reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST
from wagtail.admin import messages
from wagtail.admin.widgets.button import Button
from wagtail.log_actions import log
from wagtail.models import Page
from wagtail.permission_policies.pages import PagePermissionPolicy

from ...content.may import sites_where
from ...content.page_rights import RolePagePermissionTester
from ...content.site_records import SiteRoot, load_site_roots
from ...domain.roles import Action
from ..changes.rights import person
from ..site_names import site_name
from .nodes import find_way, read_children
from .order import put_beside
from .placing import PlaceView


def show_tree(request: HttpRequest, site: str = "") -> HttpResponse:
    """Show the tree. ``?open=ID``: unfold it down to this page."""
    user = person(request)
    own = _own_sites(user)
    if not own:
        raise PermissionDenied
    page = _find(request, request.GET.get("open"))
    key = site or (_site_of(page, own) if page else "") or next(iter(own))
    if key not in own:
        raise PermissionDenied
    root = own[key]
    home = Page.objects.get(pk=root.root_page_id)
    context = {
        "header_title": _("Page tree"),
        "header_icon": "folder-open-inverse",
        "breadcrumbs_items": [{"url": "", "label": _("Page tree")}],
        "home": home,
        "site": key,
        "sites": [(one, site_name(one)) for one in own],
        "children": read_children(user, home, way=find_way(root, page)),
        "opened": page.pk if page else None,
    }
    return TemplateResponse(request, "studio/tree/tree.html", context)


def load_children(request: HttpRequest, page_id: int) -> HttpResponse:
    """Return the child pages of a page as HTML for the client script."""
    page = _find(request, str(page_id))
    start = request.GET.get("from", "0")
    if page is None or not start.isdecimal():
        raise Http404(_("There is no such page."))
    context = {"children": read_children(person(request), page, int(start)), "is_part": True}
    return TemplateResponse(request, "studio/tree/children.html", context)


@require_POST
def set_order(request: HttpRequest) -> HttpResponse:
    """Reorder a page: ``up`` or ``down`` by one place, or ``page`` before ``before``."""
    given = request.POST
    page = _find(request, given.get("up") or given.get("down") or given.get("page"))
    if page is None:
        raise Http404(_("There is no such page."))
    parent = page.get_parent()
    if not RolePagePermissionTester(person(request), parent).can_reorder_children():
        raise PermissionDenied
    siblings = parent.get_children()
    if "up" in given:
        target, is_before = siblings.filter(path__lt=page.path).last(), True
    elif "down" in given:
        target, is_before = siblings.filter(path__gt=page.path).first(), False
    elif before := _find(request, given.get("before")):
        target, is_before = siblings.filter(pk=before.pk).exclude(pk=page.pk).first(), True
    else:
        target, is_before = siblings.exclude(pk=page.pk).last(), False
    if target and put_beside(page, target, is_before):
        log(instance=page.specific, action="wagtail.reorder", user=person(request))
        messages.success(request, _("Order changed: “%(title)s”.") % {"title": page.title})
    return redirect(tree_url(page))


def tree_url(page: Page) -> str:
    return f"{reverse('studio_tree')}?open={page.pk}"


def header_button(page: Page, user: Any, view_name: str, next_url: str | None = None) -> Any:
    """Yield the button that opens a page's place in the tree, for its list and its form."""
    if page.depth > 1:
        yield Button(_("Show in page tree"), tree_url(page), icon_name="folder-open-inverse", priority=42)


def _own_sites(user: Any) -> dict[str, SiteRoot]:
    seen, roots = sites_where(user, Action.SEE), load_site_roots()
    return {key: roots[key] for key in settings.SITES_REGISTRY.sites if key in seen and key in roots}


def _find(request: HttpRequest, id: str | None) -> Page | None:
    if not id or not id.isdecimal():
        return None
    explorable = PagePermissionPolicy().explorable_instances(person(request))
    return get_object_or_404(explorable, pk=id)


def _site_of(page: Page, sites: dict[str, SiteRoot]) -> str:
    return next((key for key, root in sites.items() if page.path.startswith(root.root_path)), "")


URLS: Final[list[URLPattern]] = [
    path("tree/", show_tree, name="studio_tree"),
    path("tree/order/", set_order, name="studio_tree_order"),
    path("tree/below/<int:page_id>/", load_children, name="studio_tree_children"),
    path("tree/place/<int:page_to_move_id>/<int:destination_id>/", PlaceView.as_view(), name="studio_tree_place"),
    path("tree/<slug:site>/", show_tree, name="studio_tree_of_site"),
]
