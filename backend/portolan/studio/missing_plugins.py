"""Protect pages of plugins that are not in `sites.toml`.

Wagtail cannot load these pages. They stay in lists and on the sites, but are read-only until the plugin is back.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final

from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext
from wagtail.admin import messages
from wagtail.models import Page

from ..content.changes import keys_of_subtree
from ..content.page_rows import is_missing_page_type
from ..releases.changes import note_changes

_IDS: Final = ("page_id", "parent_page_id", "page_to_move_id", "destination_id")
"""Names of page IDs in the arguments of views."""
_LOOKS: Final = frozenset(
    {"history", "usage", "view_live", "view_draft", "workflow_history", "workflow_history_detail"}
)
_MANY: Final = "wagtail_bulk_action"


class LeaveMissingAlone:
    """Django middleware: shows a message in the page list instead of Wagtail's error."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self._get_response(request)

    def process_view(
        self, request: HttpRequest, view: Any, args: Iterable[Any], kwargs: Mapping[str, Any]
    ) -> HttpResponse | None:
        page = next((page for page in _pages_of(request, kwargs) if _is_missing(page)), None)
        if page is None:
            return None
        plugin = page.content_type.app_label
        messages.error(
            request,
            gettext(
                "“{title}” belongs to the plugin {plugin}, which is not in sites.toml. You cannot edit or delete the "
                "page, and visitors still see it. Ask an administrator to add the plugin to sites.toml."
            ).format(title=page.title, plugin=plugin),
        )
        return redirect("wagtailadmin_explore", page.get_parent().pk)


def take_offline() -> int:
    """Unpublish pages of missing plugins. They become drafts. Return their number."""
    with transaction.atomic():
        found = [page for page in Page.objects.filter(live=True).select_related("content_type") if _is_missing(page)]
        keys = {key for page in found for key in keys_of_subtree(page)}
        # Wagtail cannot save a page of an unknown class.
        Page.objects.filter(pk__in=[page.pk for page in found]).update(live=False, has_unpublished_changes=True)
        note_changes(keys)
    return len(found)


def _pages_of(request: HttpRequest, kwargs: Mapping[str, Any]) -> Iterable[Page]:
    """Return the pages that the request would change."""
    match = request.resolver_match
    if match is None:
        return ()
    if match.url_name == _MANY:
        ids = [id for id in request.GET.getlist("id") if id.isdigit()] if kwargs.get("model_name") == "page" else []
    elif match.namespace == "wagtailadmin_pages" or match.url_name == "submit_page_translation":
        ids = [str(kwargs[name]) for name in _IDS if name in kwargs and match.url_name not in _LOOKS]
    else:
        return ()
    return Page.objects.filter(pk__in=ids).select_related("content_type") if ids else ()


def _is_missing(page: Page) -> bool:
    return is_missing_page_type(page.content_type.app_label, page.content_type.model)
