"""The state of editors' changes: not live yet, live, or blocked by a problem."""

from datetime import datetime
from typing import Final, Literal, NamedTuple

from django.conf import settings
from django.http import HttpRequest, JsonResponse
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext, ngettext

from ..publisher.outcome import read_outcome
from ..releases.models import PendingChange, Release
from .blocked import list_problems
from .pins import say_pins
from .release_rights import may_see_release

_FRESH_S: Final = 10
"""For this long after a publish, a newly opened screen still tells of it."""
_SLOW_S: Final = 30


class PublishStatus(NamedTuple):
    state: Literal["live", "waiting", "blocked", "pinned"]
    text: str
    """A line for editors; empty if there is nothing to report."""
    is_failure: bool = False
    """A failure of the publisher itself, which no editor can fix."""


def show_publish_status(request: HttpRequest) -> JsonResponse:
    """For the studio's script, which asks after each change."""
    state = find_publish_status()
    release = Release.objects.first() if state.text and state.state in ("live", "blocked") else None
    is_seen = release is not None and may_see_release(request.user, release.number)
    delivery = reverse("studio_release", args=[release.number]) if release and is_seen else ""
    reply = JsonResponse({**state._asdict(), "home": reverse("wagtailadmin_home"), "delivery": delivery})
    reply["Cache-Control"] = "no-store"
    return reply


def find_publish_status() -> PublishStatus:
    outcome = read_outcome(settings.BUILDS_DIR)
    release = Release.objects.first()
    if outcome and outcome.failure:
        return PublishStatus(
            "blocked", gettext("Changes are saved, but publishing fails at the moment."), is_failure=True
        )
    if since := _waiting_since(release, outcome.release if outcome else 0):
        slow = (timezone.now() - since).total_seconds() > _SLOW_S
        return PublishStatus(
            "waiting",
            gettext("Still waiting to go live: is the publisher running?") if slow else gettext("Going live…"),
        )
    if pinned := say_pins():
        return PublishStatus("pinned", pinned)
    if blocked := len(list_problems()):
        said = ngettext(
            "One thing waits until it is fixed; everything else is live.",
            "{count} things wait until they are fixed; everything else is live.",
            blocked,
        )
        return PublishStatus("blocked", said.format(count=blocked))
    if outcome and (timezone.now() - datetime.fromisoformat(outcome.at)).total_seconds() < _FRESH_S:
        return PublishStatus("live", gettext("Your changes are live."))
    return PublishStatus("live", "")


def find_failure() -> str:
    """The error message that stopped the publisher itself, for the operator."""
    outcome = read_outcome(settings.BUILDS_DIR)
    return outcome.failure if outcome else ""


def _waiting_since(release: Release | None, published: int) -> datetime | None:
    pending = PendingChange.objects.filter(problem="").order_by("pk").first()
    if pending:
        return pending.noted_at
    return release.created_at if release and release.number > published else None
