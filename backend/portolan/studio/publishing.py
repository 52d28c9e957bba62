"""The message after an editor has published a page: it says that visitors see the page only once they do."""

import time
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
from ..releases.waking import is_publisher_there, wake_publisher
from .checks.to_mend import ToMend, say_count
from .checks.together import sift
from .held_back import say_what_is_held
from .holds import say_holds
from .life import find_last_release
from .problem_names import say_in_studio
from .publish_status import find_publish_status
from .receipts import add_travel
from .time_zones import zone_for, zone_of

_MOST_NAMED: Final = 8
"""Pages of a list that are not published: each has a message of its own."""
_LIVE_WITHIN_S: Final = 1.5
"""An edit is usually live in a fraction of this time. After it, the editor is told that the change is not live yet."""


def say_published(request: HttpRequest, page: Page) -> HttpResponse | None:
    """Hook: replaces Wagtail's "has been published", which comes before that is known, and its "has been scheduled",
    which does not say for when."""
    edit = messages.button(reverse("wagtailadmin_pages:edit", args=[page.pk]), gettext("Edit"))
    if scheduled := page.scheduled_revision:  # the row of a page that is live says nothing of it
        zone = zone_of(page)
        said = gettext("“{draft_title}” goes live on {time} in {zone}.").format(
            draft_title=page.draft_title,
            time=say_moment_there(scheduled.approved_go_live_at, zone),
            zone=name_zone(zone),
        )
        messages.success(
            request, said, buttons=[edit, messages.button(reverse("studio_scheduled"), gettext("All scheduled"))]
        )
        return _go_on(request, page)
    url = page.get_url(request)
    buttons = [messages.button(url, gettext("View live"), new_window=True), edit] if url else [edit]
    refused = say_in_studio(p for found in export_batch(keys_of(page)).problems.values() for p in found)
    if refused:
        said = gettext("“{title}” is saved, but visitors see it as it was: {names}").format(
            title=page.title, names=" ".join(refused)
        )
        messages.warning(request, said, buttons=[edit])
        return _go_on(request, page)
    is_settled = wait_until_settled()
    number = find_last_release(page)
    receipt = [messages.button(reverse("studio_release", args=[number]), gettext("Receipt"))] if number else []
    if on_hold := say_holds({key.site for key in keys_of(page)}, zone_for(request.user)):
        messages.warning(
            request,
            gettext("“{title}” is saved. {on_hold}").format(title=page.title, on_hold=on_hold),
            buttons=[edit, *receipt],
        )
    elif held := say_what_is_held(page):
        said = gettext("“{title}” is saved, but visitors do not see it as it is now. {held}").format(
            title=page.title, held=held
        )
        messages.warning(request, said, buttons=[edit, *receipt])
    elif not is_settled:
        said = gettext("“{title}” is saved and on its way to visitors.").format(title=page.title)
        messages.info(request, add_travel(said, number), buttons=[edit, *receipt])
    elif (state := find_publish_status()).state == "held" and state.is_failure:
        messages.warning(
            request, gettext("“{title}” is saved. {text}").format(title=page.title, text=state.text), buttons=[edit]
        )
    else:
        messages.success(
            request,
            add_travel(gettext("“{title}” is live.").format(title=page.title), number),
            buttons=[*buttons, *receipt],
        )
    return _go_on(request, page)


class PublishTicked(PublishBulkAction):
    """Publishes the pages that are ticked in a list as one change, without those that would be held back; with the message of
    ``say_published`` for a page that is not live yet."""

    held: Sequence[tuple[SitePage, list[ToMend]]] = ()

    def prepare_action(self, objects: list[Page], objects_without_access: Any) -> None:
        if super().get_execution_context()["include_descendants"]:
            objects += self._drafts_below(objects)
        good, self.held = sift(objects)
        objects[:] = good
        for page, found in self.held[:_MOST_NAMED]:
            said = gettext("“%(title)s” is not published: %(things)s. %(first)s") % {
                "title": page.draft_title,
                "things": say_count(found).lower(),
                "first": found[0].text,
            }
            edit = messages.button(reverse("wagtailadmin_pages:edit", args=[page.pk]), gettext("Edit"))
            messages.warning(self.request, said, buttons=[edit])
        if (more := len(self.held) - _MOST_NAMED) > 0:
            messages.warning(self.request, gettext("Nor are %(number)s more of them.") % {"number": more})

    def get_execution_context(self) -> dict[str, Any]:
        """What is below the pages stands among them already."""
        return {**super().get_execution_context(), "include_descendants": False}

    def get_success_message(self, num_parent_objects: int, num_child_objects: int) -> str | None:
        number = num_parent_objects + num_child_objects
        if number == 0:
            return None
        if number == 1:
            return gettext("1 page is saved and on its way to visitors.")
        return gettext("{number} pages are saved and on their way to visitors.").format(number=number)

    def _drafts_below(self, pages: Iterable[Page]) -> list[Page]:
        known = {page.pk for page in pages}
        below = {page.pk: page for each in pages for page in each.get_descendants().not_live() if page.pk not in known}
        return [page for page in below.values() if self.check_perm(page)]


def wait_until_settled() -> bool:
    """Whether every saved change is now live or held back."""
    wake_publisher()
    if not is_publisher_there():  # nobody publishes at the moment
        return find_publish_status().state != "waiting"
    deadline = time.monotonic() + _LIVE_WITHIN_S
    while find_publish_status().state == "waiting":
        if time.monotonic() > deadline:
            return False
        time.sleep(0.03)
    return True


def _go_on(request: HttpRequest, page: Page) -> HttpResponse:
    """Stay in the form, as after saving a draft."""
    next_url = get_valid_next_url_from_request(request)
    url = reverse("wagtailadmin_pages:edit", args=[page.pk])
    return redirect(f"{url}?{urlencode({'next': next_url})}" if next_url else url)
