"""Show the uses of an object, instead of Wagtail's pages (see ``studio.uses``)."""

from collections.abc import Callable
from typing import Any, Final

from django.contrib.admin.utils import unquote
from django.core.exceptions import PermissionDenied
from django.db.models import Model
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import Resolver404, URLPattern, path, resolve
from wagtail.admin.admin_url_finder import AdminURLFinder
from wagtail.admin.auth import require_admin_access
from wagtail.documents.models import Document
from wagtail.models import Page

from ..content.collections import COLLECTIONS
from ..content.pictures import SiteImage
from .files.editing import may_open
from .use_rows import UseRow, count_places, list_uses, with_copies

_MODELS: Final[dict[str, tuple[type[Model], str]]] = {
    "wagtailadmin_pages:usage": (Page, "page_id"),
    "wagtailimages:image_usage": (SiteImage, "image_id"),
    "wagtaildocs:document_usage": (Document, "document_id"),
    **{f"wagtailsnippets_content_{model._meta.model_name}:usage": (model, "pk") for model in COLLECTIONS.values()},
}
"""Wagtail's usage pages: model and the name of its key in the URL."""


@require_admin_access
def show_usage(request: HttpRequest, **_: Any) -> HttpResponse:
    """Show the uses of an object, at the URL of Wagtail's page."""
    used = find_object(request.path)
    if used is None:
        raise Http404("This URL has no usage.")
    # Users without rights on a live file may still see its uses.
    edit_url = AdminURLFinder(None if may_open(request.user, used) else request.user).get_edit_url(used)
    if edit_url is None:
        raise PermissionDenied
    rows = list_uses_of(used)
    context = {"used": used, "edit_url": edit_url, "rows": rows, "count": count_places(rows)}
    return render(request, "studio/usage.html", context)


def list_uses_of(used: Model) -> list[UseRow]:
    return list_uses(*(with_copies(used) if isinstance(used, Page) else [used]))


def find_object(usage_url: str) -> Any | None:
    """Return the object of a usage page's URL; ``None`` for other models."""
    try:
        match = resolve(usage_url.partition("?")[0])
    except Resolver404:
        return None
    name = f"{match.namespace}:{match.url_name}" if match.namespace else match.kwargs.get("of", "")
    model, key = _MODELS.get(name, (None, ""))
    if model is None:
        return None
    found = get_object_or_404(model, pk=unquote(str(match.kwargs[key])))
    return found.specific if isinstance(found, Page) else found


def urls() -> list[URLPattern]:
    """Return URLs to place before Wagtail's own."""
    view: Callable[..., HttpResponse] = show_usage
    return [
        path("pages/<int:page_id>/usage/", view, {"of": "wagtailadmin_pages:usage"}),
        path("images/usage/<int:image_id>/", view, {"of": "wagtailimages:image_usage"}),
        path("documents/usage/<int:document_id>/", view, {"of": "wagtaildocs:document_usage"}),
        *(
            path(
                f"snippets/content/{model._meta.model_name}/usage/<str:pk>/",
                view,
                {"of": f"wagtailsnippets_content_{model._meta.model_name}:usage"},
            )
            for model in COLLECTIONS.values()
        ),
    ]
