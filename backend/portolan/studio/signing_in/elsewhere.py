"""Signing in by an account elsewhere. Who it is has to have an account of the studio with the same e-mail address: none is made."""

import json
import logging
from typing import Final

from django.conf import settings
from django.contrib import messages
from django.contrib.auth import get_user_model
from django.contrib.auth.models import User
from django.core.signing import BadSignature
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import path, reverse
from django.utils.crypto import get_random_string
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET

from ...accounts.groups import follow_groups
from ...accounts.models import SignIn
from ...accounts.single_sign_on import LASTS_S, NotSignedIn, Passage, begin, finish
from ...accounts.throttle import TooManyTries
from ...accounts.throttle import begin as begin_try
from ...domain.single_sign_on import Provider
from .refusals import refuse
from .steps import may_use_studio, sign_in

_COOKIE: Final = "signing_in_elsewhere"
_SALT: Final = "portolan.single-sign-on"

_log = logging.getLogger(__name__)


@require_GET
@never_cache
def leave(request: HttpRequest) -> HttpResponse:
    """To the provider."""
    provider = _provider()
    wanted = request.GET.get("next", "")
    if not url_has_allowed_host_and_scheme(wanted, {request.get_host()}, require_https=request.is_secure()):
        wanted = reverse("wagtailadmin_home")
    try:
        url, passage = begin(provider, _redirect_uri(), wanted)
    except NotSignedIn as error:
        return _back(request, error)
    response = HttpResponseRedirect(url)
    response.set_signed_cookie(
        _COOKIE,
        json.dumps(passage),
        salt=_SALT,
        max_age=LASTS_S,
        path=reverse("studio_back_from_elsewhere"),
        secure=settings.SESSION_COOKIE_SECURE,
        httponly=True,
        samesite="Lax",
    )
    return response


@require_GET
@never_cache
def come_back(request: HttpRequest) -> HttpResponse:
    """From the provider."""
    provider = _provider()
    try:
        # Whoever makes up answers of the provider makes us ask it. Under a name of its own it counts for the client alone.
        tried = begin_try(request, f"elsewhere {get_random_string(8)}")
    except TooManyTries as error:
        return refuse(error)
    try:
        user, passage = _who(request, provider)
    except NotSignedIn as error:
        response = _back(request, error)
    else:
        tried.name = user.get_username()
        sign_in(request, user, tried, SignIn.Factor.ELSEWHERE)
        response = HttpResponseRedirect(passage.goes_on)
    response.delete_cookie(_COOKIE, path=reverse("studio_back_from_elsewhere"), samesite="Lax")
    return response


def _who(request: HttpRequest, provider: Provider) -> tuple[User, Passage]:
    try:
        kept = json.loads(request.get_signed_cookie(_COOKIE, salt=_SALT, max_age=LASTS_S) or "")
    except (KeyError, BadSignature, ValueError):
        raise NotSignedIn("That took too long, or it was begun in another browser. Begin again.") from None
    passage = Passage(*kept)
    email, groups = finish(provider, _redirect_uri(), passage, request.GET.dict())
    found = list(get_user_model().objects.filter(email__iexact=email)[:2])
    if len(found) == 1:  # before the rights are looked at, which may follow from them
        follow_groups(found[0], provider.groups, groups)
    if len(found) != 1 or not may_use_studio(found[0]):
        raise NotSignedIn(
            f"No account of this studio has the address {email}. Ask an administrator of the studio for one.",
            "several accounts have the address" if len(found) > 1 else "no account has the address",
        )
    return found[0], passage


def _provider() -> Provider:
    provider: Provider | None = settings.SINGLE_SIGN_ON
    if provider is None:
        raise Http404
    return provider


def _redirect_uri() -> str:
    return f"{settings.WAGTAILADMIN_BASE_URL}{reverse('studio_back_from_elsewhere')}"


def _back(request: HttpRequest, error: NotSignedIn) -> HttpResponseRedirect:
    _log.warning("Somebody could not sign in by %s: %s", _provider().issuer, error.why)
    messages.error(request, str(error))
    return HttpResponseRedirect(reverse("wagtailadmin_login"))


URLS: Final = [
    path("login/elsewhere/", leave, name="studio_sign_in_elsewhere"),
    path("login/elsewhere/back/", come_back, name="studio_back_from_elsewhere"),
]
