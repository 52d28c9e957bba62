"""The status of editors' changes: waiting, live or blocked."""

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
"""Seconds after a publish in which a new screen still mentions it."""
_SLOW_S: Final = 30


class PublishStatus(NamedTuple):
    state: Literal["live", "waiting", "blocked", "pinned"]
    text: str
    """A line for editors; empty if there is nothing to report."""
    is_failure: bool = False
    """True if the publisher itself fails, which editors cannot fix."""


def show_publish_status(request: HttpRequest) -> JsonResponse:
    """Return the status for the studio's script, which requests it after each change."""
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
            "blocked",
            gettext("Changes are saved, but publishing fails at the moment. It is retried automatically."),
            is_failure=True,
        )
    if since := _waiting_since(release, outcome.release if outcome else 0):
        slow = (timezone.now() - since).total_seconds() > _SLOW_S
        return PublishStatus(
            "waiting",
            gettext("Still waiting to go live. Ask an administrator whether the publisher is running.")
            if slow
            else gettext("Going live…"),
        )
    if pinned := say_pins():
        return PublishStatus("pinned", pinned)
    if blocked := len(list_problems()):
        said = ngettext(
            "One change is blocked until it is fixed. All other changes are live.",
            "{count} changes are blocked until they are fixed. All other changes are live.",
            blocked,
        )
        return PublishStatus("blocked", said.format(count=blocked))
    if outcome and (timezone.now() - datetime.fromisoformat(outcome.at)).total_seconds() < _FRESH_S:
        return PublishStatus("live", gettext("Your changes are live."))
    return PublishStatus("live", "")


def find_failure() -> str:
    """Return the error that stops the publisher; empty if it runs."""
    outcome = read_outcome(settings.BUILDS_DIR)
    return outcome.failure if outcome else ""


def _waiting_since(release: Release | None, published: int) -> datetime | None:
    pending = PendingChange.objects.filter(problem="").order_by("pk").first()
    if pending:
        return pending.noted_at
    return release.created_at if release and release.number > published else None
