"""Keep the input of a form if its session has ended.

A script checks the session here before it sends a form. A form sent without a session or with an old token is returned
on a page from which it can be sent again.
"""

from collections.abc import Callable
from typing import Final
from urllib.parse import urlsplit

from django.conf import settings
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.middleware.csrf import get_token
from django.shortcuts import render
from django.templatetags.static import static
from django.urls import URLPattern, path, reverse
from django.utils import translation
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache

from ..authors import name_of
from ..content_policy import without_markup_by_scripts
from ..languages import wanted_language
from ..time_zones import STUDIO

_BEFORE_SIGN_IN: Final = tuple(f"{STUDIO}{name}/" for name in ("login", "logout", "password_reset"))


@never_cache
def say_who(request: HttpRequest) -> JsonResponse:
    """Return the signed-in user and the current form token. Others are redirected to sign in, as everywhere."""
    return JsonResponse({"user": str(request.user.pk), "name": name_of(request.user), "token": get_token(request)})


class HandBackUnsaved:
    """Django middleware: return forms that are sent after their session has ended, instead of dropping them."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        is_form = request.method == "POST" and request.path.startswith(STUDIO)
        if (
            is_form
            and not request.path.startswith(_BEFORE_SIGN_IN)
            and _is_own_form(request)
            and not request.user.is_authenticated
        ):
            return hand_back(request)
        return self._get_response(request)


def refuse_token(request: HttpRequest, reason: str = "") -> HttpResponse:
    """Answer requests with a wrong token: ``CSRF_FAILURE_VIEW``.

    People who have signed in again have a new token and get their form back. Input from other origins is never shown.
    """
    with translation.override(wanted_language(request.headers.get("Accept-Language", ""))):
        return hand_back(request) if _is_own_form(request) else _refuse(request)


def hand_back(request: HttpRequest) -> HttpResponse:
    sent = [(name, value) for name, values in request.POST.lists() for value in values if name != "csrfmiddlewaretoken"]
    context = {"sent": sent, "has_files": bool(request.FILES), "script": add_script()}
    return _plain(request, "studio/signing_in/unsaved.html", context)


def _refuse(request: HttpRequest) -> HttpResponse:
    return _plain(request, "studio/signing_in/not_ours.html", {})


def _plain(request: HttpRequest, template: str, context: dict[str, object]) -> HttpResponse:
    def show(request: HttpRequest) -> HttpResponse:
        return render(request, template, context, status=403)

    response = without_markup_by_scripts(show)(request)
    assert isinstance(response, HttpResponse)
    response["Cache-Control"] = "no-store"
    return response


def _is_own_form(request: HttpRequest) -> bool:
    """Return True if a page of the studio sent it, as a form and not by a script."""
    studio = urlsplit(settings.WAGTAILADMIN_BASE_URL)
    origin = request.headers.get("Origin", "")
    is_form = request.headers.get("Sec-Fetch-Mode", "navigate") == "navigate" and "html" in request.headers.get(
        "Accept", ""
    )
    return is_form and origin == f"{studio.scheme}://{studio.netloc}"


def add_script() -> SafeString:
    return format_html(
        '<script src="{}" data-url="{}" data-sign-in="{}" data-ended="{}" data-link="{}" data-back="{}" data-other="{}" defer>'
        "</script>",
        static("studio/still-signed-in.js"),
        reverse("studio_who"),
        reverse("wagtailadmin_login"),
        gettext("Your session has ended. Your input is still here, but not saved."),
        gettext("Sign in in a new tab, then return to this tab and save."),
        gettext("You are signed in again. Save your input now."),
        gettext("You are now signed in as {name}. If you save, the change is recorded under this name."),
    )


URLS: Final[list[URLPattern]] = [path("still-here/", say_who, name="studio_who")]
