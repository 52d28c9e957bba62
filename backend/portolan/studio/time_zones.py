"""Choose the studio's time zone: the account's, else the company's.

Screens of a page use its site's zone, those of an entry the company's. If an editor in Warsaw types 09:00 on a German
page, it means 09:00 in Berlin.
"""

from collections.abc import Callable
from datetime import datetime
from types import MethodType
from typing import Any, Final

from django.conf import settings
from django.contrib.auth.signals import user_logged_in
from django.http import HttpRequest, HttpResponse
from django.utils import timezone, translation
from wagtail import hooks
from wagtail.models import Page
from wagtail.users.models import UserProfile

from ..content.site_records import load_site_roots
from .moments import say_moment

_FIRST: Final = -10
"""Before hooks that reply to the request and may show a time."""


STUDIO: Final = "/admin/"


def zone_of(page: Page) -> str:
    registry = settings.SITES_REGISTRY
    for root in load_site_roots().values():
        if page.path.startswith(root.root_path):
            return str(registry.time_zone(root.key))
    return str(registry.company.time_zone)


def of_page(request: HttpRequest, page: Page, *_: Any) -> None:
    _go_by(request, zone_of(page))


def of_company(request: HttpRequest, *_: Any) -> None:
    _go_by(request, settings.SITES_REGISTRY.company.time_zone)


def say_moment_for(user: Any, at: datetime) -> str:
    """Format a time in the reader's time zone, on every screen."""
    with timezone.override(zone_for(user)):
        return say_moment(at)


def zone_for(user: Any) -> str:
    """Return a user's time zone, also for texts outside of the studio, such as e-mails."""
    profile = UserProfile.objects.filter(user_id=user.pk).first()
    return _choose_zone(profile or UserProfile())


def _go_by(request: HttpRequest, zone: str) -> None:
    """Set the time zone until the end of the view. Wagtail restores zone and language afterwards."""
    timezone.activate(zone)
    request.shown_in = zone, translation.get_language()  # type: ignore[attr-defined]


class ShowSiteTime:
    """Django middleware. Restores the zone for rendering, which Wagtail does after the view in the editor's zone."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if not request.path.startswith(STUDIO):
            return self._get_response(request)
        with timezone.override(settings.SITES_REGISTRY.company.time_zone):
            return self._get_response(request)

    def process_template_response(self, request: HttpRequest, response: Any) -> Any:
        if hasattr(request, "shown_in"):
            zone, language = request.shown_in

            def render(self: Any) -> Any:
                with timezone.override(zone), translation.override(language):
                    return type(self).render(self)  # skip Wagtail's override

            response.render = MethodType(render, response)
        return response


def _choose_zone(profile: UserProfile) -> str:
    """Return the zone for general screens: the account's, else the company's. Wagtail's default is UTC."""
    return str(profile.current_time_zone or settings.SITES_REGISTRY.company.time_zone)


def _begin_profile(user: Any, **_: Any) -> None:
    """Create the profile at sign-in, because users without one see UTC."""
    UserProfile.get_for_user(user)


def connect() -> None:
    UserProfile.get_current_time_zone = _choose_zone
    user_logged_in.connect(_begin_profile, dispatch_uid="studio-time-zones")
    for hook in ("before_edit_page", "before_create_page", "before_copy_page"):
        hooks.register(hook, of_page, order=_FIRST)
    for hook in ("before_edit_snippet", "before_create_snippet"):
        hooks.register(hook, of_company, order=_FIRST)
