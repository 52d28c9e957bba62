"""Single sign-on: sign in with an account at the provider, connect it, and confirm the identity with it."""

import json
import logging
from typing import Final, cast

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.models import User
from django.core import signing
from django.core.signing import BadSignature
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import redirect
from django.urls import URLPattern, path, reverse
from django.utils.crypto import constant_time_compare, get_random_string, salted_hmac
from django.utils.http import urlencode
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_POST

from ...accounts import provider_accounts
from ...accounts.groups import follow_groups
from ...accounts.models import ProviderAccount, SignIn
from ...accounts.single_sign_on import LASTS_S, LEEWAY_S, NotSignedIn, Passage, Purpose, begin, finish
from ...accounts.throttle import TooManyTries
from ...accounts.throttle import begin as begin_try
from ...domain.single_sign_on import Identity, Provider
from ..people.letters import tell_owner
from .refusals import refuse
from .steps import confirm, confirm_first, is_fresh, may_use_studio, own_path, sign_in

_COOKIE: Final = "signing_in_elsewhere"
_SALT: Final = "portolan.single-sign-on"
_NOT_CONNECTED: Final = _(
    "Your account at the provider is not connected to an account of this studio. If you have a password here, sign in with "
    "it and connect them under Account → Signing in. Otherwise ask an administrator of the studio for an invitation."
)

_log = logging.getLogger(__name__)


def link_for(request: HttpRequest, purpose: Purpose, goes_on: str) -> str:
    """Return the path that redirects to the provider. Valid in this session only, so other sites cannot send users there."""
    token = signing.dumps([purpose, request.user.pk, _digest_session(request)], salt=_SALT)
    return f"{reverse('studio_sign_in_elsewhere')}?{urlencode({'for': token, 'next': goes_on})}"


@require_GET
@never_cache
def leave(request: HttpRequest) -> HttpResponse:
    """Redirect to the provider."""
    provider = _provider()
    wanted = own_path(request, request.GET.get("next", ""), reverse("wagtailadmin_home"))
    purpose = Purpose.SIGN_IN
    if token := request.GET.get("for"):
        try:
            found, user, session = signing.loads(token, salt=_SALT)
        except BadSignature:
            return redirect("studio_signing_in")
        if user != request.user.pk or not constant_time_compare(session, _digest_session(request)):
            return redirect("studio_signing_in")
        purpose = Purpose(found)
    if purpose is Purpose.CONNECT and not is_fresh(request):
        return confirm_first(reverse("studio_signing_in"))
    who = None if purpose is Purpose.SIGN_IN else request.user.pk
    try:
        url, passage = begin(provider, _redirect_uri(), wanted, purpose, who)
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
    """Sign in, connect or confirm with the provider's answer, then continue at the requested path."""
    provider = _provider()
    try:
        # Invented codes cause requests to the provider. With a random name the attempt counts for the client only.
        tried = begin_try(request, f"elsewhere {get_random_string(8)}")
    except TooManyTries as error:
        return refuse(error)
    try:
        passage = _kept(request)
        identity = finish(provider, _redirect_uri(), passage, request.GET.dict())
        match passage.purpose:
            case Purpose.SIGN_IN:
                _sign_in(request, provider, identity, tried)
            case Purpose.CONNECT:
                _connect(_same_person(request, passage), provider, identity)
                messages.success(request, gettext("Connected. You can sign in with {name}.").format(name=provider.name))
                tried.delete()
            case Purpose.CONFIRM:
                _confirm(request, _same_person(request, passage), provider, identity, passage)
                tried.delete()
    except NotSignedIn as error:
        response = _back(request, error)
    else:
        response = HttpResponseRedirect(passage.goes_on)
    response.delete_cookie(_COOKIE, path=reverse("studio_back_from_elsewhere"), samesite="Lax")
    return response


def _sign_in(request: HttpRequest, provider: Provider, identity: Identity, tried: SignIn) -> None:
    user = provider_accounts.find_user(provider.issuer, identity.subject)
    user = user or provider_accounts.accept_invitation(provider.issuer, identity)
    if user is None:
        raise NotSignedIn(str(_NOT_CONNECTED), "the account there is not connected to one here")
    follow_groups(user, provider.groups, identity.groups)  # before the check of rights, which may depend on groups
    if not may_use_studio(user):
        raise NotSignedIn(str(_NOT_CONNECTED), f"account {user.pk} is disabled, or has no role")
    tried.name = user.get_username()
    sign_in(request, user, tried, SignIn.Factor.ELSEWHERE, confirmed_at=identity.authenticated_at or 0.0)


def _connect(user: User, provider: Provider, identity: Identity) -> None:
    try:
        provider_accounts.connect(user, provider.issuer, identity.subject)
    except provider_accounts.AlreadyConnected:
        raise NotSignedIn(
            gettext(
                "That account is already connected to another account of the studio, or your account to another one there."
            ),
            f"account {user.pk}: one of the two is already connected",
        ) from None
    tell_owner(
        user,
        _("Single sign-on was connected to your account. The owner of the account at the provider can sign in as you."),
    )


def _confirm(request: HttpRequest, user: User, provider: Provider, identity: Identity, passage: Passage) -> None:
    own = ProviderAccount.objects.filter(user=user, issuer=provider.issuer, subject=identity.subject)
    if not own.exists():
        raise NotSignedIn(gettext("You signed in there with another account. Start again."), "another subject")
    at = identity.authenticated_at
    if at is None or at < passage.begun_at - LEEWAY_S:
        raise NotSignedIn(
            gettext("Your identity was not confirmed, because the provider did not ask you to sign in again."),
            "no new auth_time",
        )
    confirm(request, at)


def _same_person(request: HttpRequest, passage: Passage) -> User:
    if not request.user.is_authenticated or request.user.pk != passage.user:
        raise NotSignedIn(gettext("Your session has ended. Sign in and start again."), "another session")
    return request.user


def _kept(request: HttpRequest) -> Passage:
    try:
        return Passage(*json.loads(request.get_signed_cookie(_COOKIE, salt=_SALT, max_age=LASTS_S) or ""))
    except (KeyError, BadSignature, ValueError, TypeError):
        raise NotSignedIn(
            gettext("That took too long, or was started in another browser. Start again."), "no cookie"
        ) from None


@require_POST
def disconnect(request: HttpRequest) -> HttpResponse:
    user = cast(User, request.user)
    if not is_fresh(request):
        return confirm_first(reverse("studio_signing_in"))
    if provider_accounts.count_ways_in(user) == 1:
        messages.error(
            request, gettext("Single sign-on is your only way to sign in. First choose a password or add a passkey.")
        )
    elif provider_accounts.disconnect(user):
        messages.success(
            request, gettext("Single sign-on disconnected. Sign in with your password or passkey from now on.")
        )
        tell_owner(user, _("Single sign-on was disconnected from your account."))
    return redirect("studio_signing_in")


def _provider() -> Provider:
    provider: Provider | None = settings.SINGLE_SIGN_ON
    if provider is None:
        raise Http404
    return provider


def _redirect_uri() -> str:
    return f"{settings.WAGTAILADMIN_BASE_URL}{reverse('studio_back_from_elsewhere')}"


def _digest_session(request: HttpRequest) -> str:
    return salted_hmac(_SALT, request.session.session_key or "", algorithm="sha256").hexdigest()


def _back(request: HttpRequest, error: NotSignedIn) -> HttpResponseRedirect:
    _log.warning("Single sign-on by %s failed: %s", _provider().issuer, error.why)
    messages.error(request, str(error))
    is_in = request.user.is_authenticated
    return HttpResponseRedirect(reverse("studio_signing_in" if is_in else "wagtailadmin_login"))


URLS: Final[list[URLPattern]] = [
    path("login/elsewhere/", leave, name="studio_sign_in_elsewhere"),
    path("login/elsewhere/back/", come_back, name="studio_back_from_elsewhere"),
]
OWN_URLS: Final[list[URLPattern]] = [
    path("account/signing-in/disconnect/", disconnect, name="studio_disconnect"),
]
