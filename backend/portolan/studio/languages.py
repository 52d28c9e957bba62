"""Choose the studio's language: that of the account, else of the browser, else of the company's default site."""

from collections.abc import Callable
from typing import Any, Final

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils import translation
from django.utils.translation.trans_real import parse_accept_lang_header
from wagtail.users.models import UserProfile

from .time_zones import STUDIO

WHOLE: Final = ("en", "de")
"""Languages with a complete translation of the studio."""


def language_of(user: Any) -> str:
    """Return a user's language for texts outside of the studio, such as e-mails."""
    profile = UserProfile.objects.filter(user_id=user.pk).first()
    return (profile and profile.preferred_language) or settings.LANGUAGE_CODE


class SpeakAsBrowser:
    """Django middleware. Sets the language for accounts without one, and for screens before signing in."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if not request.path.startswith(STUDIO):
            return self._get_response(request)
        with translation.override(wanted_language(request.headers.get("Accept-Language", ""))):
            return self._get_response(request)


def wanted_language(header: str) -> str:
    """Return the first complete language of a header ``Accept-Language``."""
    tags = (tag.partition("-")[0] for tag, _ in parse_accept_lang_header(header))
    return next((tag for tag in tags if tag in WHOLE), settings.LANGUAGE_CODE)
