"""Publish pages from a form or a list, and confirm it."""

from collections.abc import Iterable, Sequence
from typing import Any, Final
from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext
from wagtail.admin import messages
from wagtail.admin.utils import get_valid_next_url_from_request
from wagtail.admin.views.pages.bulk_actions.publish import PublishBulkAction
from wagtail.models import Page

from ..content.changes import keys_of
from ..content.export import export_batch
from ..content.pages.base import SitePage
from ..content.scheduling import name_zone, say_moment_there
from ..releases.waking import wake_publisher
from .checks.form_problems import FormProblem, say_count
from .checks.together import sift
from .merging.others import list_others
from .problem_names import say_in_studio
from .published import note_published, say
from .time_zones import zone_of

_MOST_NAMED: Final = 8
"""The most unpublished pages to name. Each has its own message."""


def say_published(request: HttpRequest, page: Page) -> HttpResponse | None:
    """Hook: replace Wagtail's messages. One comes before the page is live, the other lacks the scheduled time."""
    note_published(request)
    if scheduled := page.scheduled_revision:  # the loaded page does not have it
        zone = zone_of(page)
        said = gettext("“{draft_title}” goes live on {time} in {zone}.").format(
            draft_title=page.draft_title,
            time=say_moment_there(scheduled.approved_go_live_at, zone),
            zone=name_zone(zone),
        )
        messages.success(
            request, said, buttons=[messages.button(reverse("studio_scheduled"), gettext("All scheduled"))]
        )
        return _go_on(request, page)
    refused = say_in_studio(p for found in export_batch(keys_of(page)).problems.values() for p in found)
    if refused:
        said = gettext("“{title}” is saved, but visitors see the previous version: {names}").format(
            title=page.title, names=" ".join(refused)
        )
        messages.warning(request, said)
        return _go_on(request, page)
    wake_publisher()
    say(request, page)
    return _go_on(request, page)


class PublishTicked(PublishBulkAction):
    """Publishes selected pages as one change, without those that have problems."""

    blocked: Sequence[tuple[SitePage, list[FormProblem]]] = ()

    def object_context(self, obj: Page) -> dict[str, Any]:
        """Add the authors of unpublished changes, for the question."""
        return {**super().object_context(obj), "others": list_others(obj, self.request.user)}

    def prepare_action(self, objects: list[Page], objects_without_access: Any) -> None:
        if super().get_execution_context()["include_descendants"]:
            objects += self._drafts_below(objects)
        good, self.blocked = sift(objects)
        objects[:] = good
        for page, found in self.blocked[:_MOST_NAMED]:
            said = gettext("“%(title)s” is not published: %(things)s. %(first)s") % {
                "title": page.draft_title,
                "things": say_count(found).lower(),
                "first": found[0].text,
            }
            edit = messages.button(reverse("wagtailadmin_pages:edit", args=[page.pk]), gettext("Edit"))
            messages.warning(self.request, said, buttons=[edit])
        if (more := len(self.blocked) - _MOST_NAMED) > 0:
            messages.warning(
                self.request, gettext("%(number)s other pages are not published either.") % {"number": more}
            )

    def get_execution_context(self) -> dict[str, Any]:
        """Return the context. The list already has the child pages."""
        return {**super().get_execution_context(), "include_descendants": False}

    def get_success_message(self, num_parent_objects: int, num_child_objects: int) -> str | None:
        number = num_parent_objects + num_child_objects
        if number == 0:
            return None
        if number == 1:
            return gettext("1 page is saved and is going live.")
        return gettext("{number} pages are saved and are going live.").format(number=number)

    def _drafts_below(self, pages: Iterable[Page]) -> list[Page]:
        known = {page.pk for page in pages}
        below = {page.pk: page for each in pages for page in each.get_descendants().not_live() if page.pk not in known}
        return [page for page in below.values() if self.check_perm(page)]


def _go_on(request: HttpRequest, page: Page) -> HttpResponse:
    """Return to the form, as after saving a draft."""
    next_url = get_valid_next_url_from_request(request)
    url = reverse("wagtailadmin_pages:edit", args=[page.pk])
    return redirect(f"{url}?{urlencode({'next': next_url})}" if next_url else url)
