"""The message after an editor has published a page: it says that visitors see the page only once they do."""

import time
from typing import Any, Final

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from wagtail.admin import messages
from wagtail.admin.utils import get_valid_next_url_from_request
from wagtail.admin.views.pages.bulk_actions.publish import PublishBulkAction
from wagtail.models import Page

from ..content.changes import keys_of
from ..content.export import export_batch
from ..content.scheduling import name_zone
from ..domain.moments import say_time
from ..releases.waking import is_publisher_there, wake_publisher
from .held_back import say_what_is_held
from .holds import say_holds
from .life import find_last_release
from .problem_names import say_in_studio
from .publish_status import find_publish_status
from .receipts import add_travel
from .time_zones import zone_of

_LIVE_WITHIN_S: Final = 1.5
"""An edit is usually live in a fraction of this time. After it, the editor is told that the change is not live yet."""


def say_published(request: HttpRequest, page: Page) -> HttpResponse | None:
    """Hook: replaces Wagtail's "has been published", which comes before that is known, and its "has been scheduled",
    which does not say for when."""
    edit = messages.button(reverse("wagtailadmin_pages:edit", args=[page.pk]), "Edit")
    if scheduled := page.scheduled_revision:  # the row of a page that is live says nothing of it
        zone = zone_of(page)
        said = (
            f"“{page.draft_title}” goes live on {say_time(scheduled.approved_go_live_at, zone)} in {name_zone(zone)}."
        )
        messages.success(request, said, buttons=[edit, messages.button(reverse("studio_scheduled"), "All scheduled")])
        return _go_on(request, page)
    url = page.get_url(request)
    buttons = [messages.button(url, "View live", new_window=True), edit] if url else [edit]
    refused = say_in_studio(p for found in export_batch(keys_of(page)).problems.values() for p in found)
    if refused:
        said = f"“{page.title}” is saved, but visitors see it as it was: {' '.join(refused)}"
        messages.warning(request, said, buttons=[edit])
        return _go_on(request, page)
    is_settled = wait_until_settled()
    number = find_last_release(page)
    receipt = [messages.button(reverse("studio_release", args=[number]), "Receipt")] if number else []
    if on_hold := say_holds({key.site for key in keys_of(page)}):
        messages.warning(request, f"“{page.title}” is saved. {on_hold}", buttons=[edit, *receipt])
    elif held := say_what_is_held(page):
        said = f"“{page.title}” is saved, but visitors do not see it as it is now. {held}"
        messages.warning(request, said, buttons=[edit, *receipt])
    elif not is_settled:
        said = f"“{page.title}” is saved and on its way to visitors."
        messages.info(request, add_travel(said, number), buttons=[edit, *receipt])
    elif (state := find_publish_status()).state == "held" and state.is_failure:
        messages.warning(request, f"“{page.title}” is saved. {state.text}", buttons=[edit])
    else:
        messages.success(request, add_travel(f"“{page.title}” is live.", number), buttons=[*buttons, *receipt])
    return _go_on(request, page)


class PublishTicked(PublishBulkAction):
    """Publishes the pages that are ticked in a list, with the message of ``say_published`` for a page that is not live
    yet."""

    def get_success_message(self, num_parent_objects: int, num_child_objects: int) -> str:
        number = num_parent_objects + num_child_objects
        if number == 1:
            return "1 page is saved and on its way to visitors."
        return f"{number} pages are saved and on their way to visitors."


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
    parent: Any = page.get_parent()
    return redirect(get_valid_next_url_from_request(request) or reverse("wagtailadmin_explore", args=[parent.pk]))
