"""Publish entries, menus, footers, rate cards and redirects, and confirm it. ``publishing`` does this for pages."""

from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext
from wagtail.admin import messages
from wagtail.admin.utils import get_valid_next_url_from_request
from wagtail.permissions import policy_registry
from wagtail.snippets.action_menu import PublishMenuItem

from ..content.changes import keys_of
from ..content.drafts import Drafted
from ..content.entry_rights import may_publish_some
from ..content.export import export_batch
from ..content.scheduling import name_zone, say_moment_there
from ..content.site_setting import SiteSetting
from ..content.viewsets.deleting import why_it_stays
from ..releases.waking import wake_publisher
from .problem_names import say_in_studio
from .published import note_published, say
from .site_settings.rows import inherits_from


def put_publishing_first(items: list[Any], request: HttpRequest, context: dict[str, Any]) -> None:
    """Make publishing the main button if the editor may publish the row on its sites."""
    row = context.get("instance")
    if isinstance(row, SiteSetting):
        may_publish = policy_registry.get(row).user_has_permission_for_instance(request.user, "publish", row)
        items[:] = [item for item in items if item.name != "action-publish"]
        if may_publish and not context.get("locked_for_user"):
            items.append(PublishMenuItem(order=30))
        items[:] = [item for item in items if item.name != "action-unpublish" or (may_publish and inherits_from(row))]
    elif row is not None and row.pk and not may_publish_some(request.user, row):
        items[:] = [item for item in items if item.name != "action-publish"]
    items.sort(key=lambda item: item.name != "action-publish")  # stable: the others keep their order


def refuse_unpublishing(request: HttpRequest, row: Any) -> HttpResponse | None:
    """Hook: return a redirect to the form if the row cannot be unpublished; else ``None``."""
    reason = _why_not(row) if isinstance(row, Drafted) else ""
    if not reason:
        return None
    messages.error(request, reason)
    return redirect(_url(row, "edit", row.pk))


def _why_not(row: Drafted) -> str:
    if isinstance(row, SiteSetting):
        return (
            "" if inherits_from(row) else gettext("{row} stays live: the site has no other to inherit.").format(row=row)
        )
    return why_it_stays(row)


def say_entry_published(request: HttpRequest, row: Any) -> HttpResponse | None:
    """Hook: replace Wagtail's message, which comes before the row is live."""
    if not isinstance(row, Drafted):
        return None
    note_published(request)
    live: Any = type(row)._default_manager.get(pk=row.pk)
    if scheduled := live.scheduled_revision:
        zone = settings.SITES_REGISTRY.company.time_zone
        said = gettext("“{row}” goes live on {time} in {zone}.").format(
            row=row, time=say_moment_there(scheduled.approved_go_live_at, zone), zone=name_zone(zone)
        )
        messages.success(
            request, said, buttons=[messages.button(reverse("studio_scheduled"), gettext("All scheduled"))]
        )
        return _go_on(request, live)
    keys = keys_of(live)
    refused = list(say_in_studio(p for found in export_batch(keys).problems.values() for p in found))
    if refused:
        for problem in refused:
            messages.warning(
                request,
                gettext("Saved, but visitors still see the last good version: {problem}").format(problem=problem),
            )
        return _go_on(request, live)
    wake_publisher()
    say(request, live)
    return _go_on(request, live)


def _go_on(request: HttpRequest, row: Any) -> HttpResponse:
    """Return to the form, as after saving a draft."""
    return redirect(get_valid_next_url_from_request(request) or _url(row, "edit", row.pk))


def _url(row: Any, view: str, *args: Any) -> str:
    return reverse(row.snippet_viewset.get_url_name(view), args=args)
