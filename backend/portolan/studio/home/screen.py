"""Render the dashboard, also for the script that keeps an open dashboard up to date."""

from collections.abc import Mapping
from hashlib import sha256
from typing import Any, Final

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.middleware.csrf import get_token
from django.template.loader import render_to_string
from django.urls import URLPattern, path
from django.utils import timezone
from laces.components import Component

from ...cdn.purged import say_failures
from ...releases.live_requests import waiting_request
from ...releases.models import Release
from ..authors import name_of
from ..blocked import ProblemRow, list_problems
from ..leads import find as leads
from ..leads import rights
from ..pins import say_pins
from ..publish_status import find_failure, find_publish_status
from ..release_rights import may_publish_everywhere, may_see_release
from ..scheduled import Scheduled, find_scheduled, may_see
from ..scheduled_report import list_rows
from ..translations.todo import list_todo
from .activity import list_activity
from .mark import mark_now
from .notices import list_notices
from .own_sites import OwnSites, find_own_sites
from .sites import list_sites
from .unverified import list_unverified
from .waiting import list_waiting

_TEMPLATE: Final = "studio/home/screen.html"
_NEXT: Final = 5
_SEEN: Final = "seen"


class HomePanel(Component):
    name = "home"
    order = 50
    template_name = _TEMPLATE

    class Media:
        js = ("studio/home.js",)

    def get_context_data(self, parent_context: Mapping[str, Any] | None = None) -> dict[str, Any]:
        return describe(parent_context["request"]) if parent_context else {}


def show_parts(request: HttpRequest) -> HttpResponse:
    """Return the dashboard's HTML without the page around it; 204 if the browser already has it.

    In most cases ``mark_now`` shows this without rendering.
    """
    seen, _, seen_at = request.GET.get(_SEEN, "").partition(".")
    at = mark_now(rights.person(request).pk, find_own_sites(request))
    if seen and seen_at == at:
        response = HttpResponse(status=204)
        mark = seen
    else:
        context = describe(request)
        html = render_to_string(_TEMPLATE, context)
        # The token differs each time.
        mark = sha256(html.replace(context["csrf_token"], "").encode()).hexdigest()[:32]
        response = HttpResponse(status=204) if seen == mark else HttpResponse(html)
    response["X-Seen"] = f"{mark}.{at}"
    response["Cache-Control"] = "no-store"
    return response


def describe(request: HttpRequest) -> dict[str, Any]:
    own = find_own_sites(request)
    user: Any = request.user
    problems = list_problems()
    failed = _sort_by_owner([row for row in problems if own.concerns(row.sites)], name_of(user))
    scheduled = _list_scheduled(request, own)
    now = timezone.now()
    release = Release.objects.first()
    late = [row for row in scheduled if row.is_overdue(now)]
    undelivered = leads.count_undelivered(rights.leads_of(request, rights.VIEW))
    failure = find_failure()
    not_purged = say_failures(settings.BUILDS_DIR)
    unverified = list_unverified(own.keys)
    return {
        "own": own,
        "waiting": list_waiting(request, own),
        "translations": list_todo(user, own.keys),
        "failed": failed,
        "failure": failure,
        "not_purged": not_purged,
        "unverified": unverified,
        "undelivered": undelivered,
        "late": len(late),
        "failed_count": sum(map(bool, (failure, not_purged, undelivered, late))) + len(failed) + len(unverified),
        "others_fail": len(problems) - len(failed),
        "scheduled": list_rows(scheduled[:_NEXT], user, now),
        "scheduled_count": len(scheduled),
        "may_schedule": may_see(user),
        "activity": list_activity(name_of(user), own),
        "sites": list_sites(problems, own.keys),
        "release": release,
        "release_is_seen": release is not None and may_see_release(user, release.number),
        "state": find_publish_status(),
        "pinned": say_pins(),
        "request_waiting": waiting_request(),
        "may_publish_everywhere": may_publish_everywhere(user),
        "notices": list_notices() if user.is_superuser else [],
        "csrf_token": get_token(request),  # panels are rendered without the request's context
    }


def _list_scheduled(request: HttpRequest, own: OwnSites) -> list[Scheduled]:
    """Return the scheduled changes; empty if the user may not see the report."""
    user: Any = request.user
    if not may_see(user):
        return []
    return [row for row in find_scheduled(user, timezone.now()) if own.concerns(row.sites)]


def _sort_by_owner(problems: list[ProblemRow], me: str) -> list[tuple[ProblemRow, bool]]:
    """Return each problem with True if it is the user's own, own problems first."""
    rows = [(row, bool(me) and me in row.by.split(", ")) for row in problems]
    return sorted(rows, key=lambda row: not row[1])


URLS: Final[list[URLPattern]] = [path("home/", show_parts, name="studio_home_parts")]
