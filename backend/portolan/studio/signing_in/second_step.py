"""Sign in with a second factor (code, recovery code or passkey), or with only a passkey."""

import json
from typing import Any, Final

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.models import User
from django.core.signing import BadSignature
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.urls import URLPattern, path, reverse
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from ...accounts.clients import key_of_client, network_of
from ...accounts.models import SecondFactor, SignIn
from ...accounts.second_factors import take_code
from ...accounts.throttle import TooManyTries, begin_code
from ...domain.sign_in_limits import name_account
from ..content_policy import without_markup_by_scripts
from .refusals import refuse, say_how_long
from .steps import FirstStep, count_wrong, first_step, may_use_studio, sign_in

_PAGE: Final = "studio/signing_in/second_step.html"
_QUESTION: Final = "passkey_question"
_QUESTION_LASTS_S: Final = 5 * 60
_SALT: Final = "portolan.passkey-question"
_AGAIN: Final = _("That took too long, or too many codes were wrong. Sign in again.")
_WRONG: Final = _(
    "This code is not valid now. Codes change every 30 seconds and work once: wait for the next code. If all codes fail, "
    "set your phone to set its clock automatically."
)
_WRONG_KEY: Final = _(
    "This passkey does not belong to this studio, or could not be checked. Try again, or sign in with name and password."
)


@never_cache
@require_http_methods(["GET", "POST"])
def ask_for_factor(request: HttpRequest) -> HttpResponse:
    step = first_step(request)
    if step is None:
        return _begin_again(request)
    if request.method == "GET":
        return TemplateResponse(request, _PAGE, _describe(step.user))
    try:
        tried = begin_code(request, step.user)
    except TooManyTries as error:
        return refuse(error)
    factor = take_code(step.user, request.POST.get("code", ""))
    if factor is None:
        if count_wrong(request):
            return _begin_again(request)
        return TemplateResponse(request, _PAGE, {**_describe(step.user), "error": _WRONG}, status=400)
    tried.delete()
    finish(request, step, factor)
    if factor == SignIn.Factor.RECOVERY:
        left = step.user.recovery_codes.count()
        messages.warning(
            request,
            gettext("This recovery code is used up; {left} left. For new codes, open Account → Signing in.").format(
                left=left
            ),
        )
    return redirect(step.goes_on)


@never_cache
@require_POST
def ask_for_passkey(request: HttpRequest) -> JsonResponse:
    _require_passkeys()
    step = first_step(request)
    return ask(step.user if step else None, reverse("studio_passkey_answer"))


@never_cache
@require_POST
def take_passkey(request: HttpRequest) -> JsonResponse:
    _require_passkeys()
    step, tried = first_step(request), None
    if step:
        try:
            tried = begin_code(request, step.user)
        except TooManyTries as error:
            return JsonResponse({"error": say_how_long(error)}, status=429, headers={"Retry-After": str(error.wait_s)})
    user = take_answer(request, step.user if step else None)
    if user is None or not may_use_studio(user):
        if step and count_wrong(request):
            return JsonResponse({"error": _AGAIN}, status=400)
        return JsonResponse({"error": _WRONG_KEY}, status=400)
    if step and tried:
        tried.delete()
        finish(request, step, SignIn.Factor.KEY)
        return JsonResponse({"next": step.goes_on})
    tried = SignIn(
        name=name_account(user.get_username()), client=key_of_client(request), network=network_of(request), user=user
    )
    sign_in(request, user, tried, SignIn.Factor.PASSKEY)
    return JsonResponse({"next": reverse("wagtailadmin_home")})


def ask(user: User | None, answer_path: str) -> JsonResponse:
    """Return a passkey challenge. The browser keeps its other half, signed, so that a request alone stores no row."""
    from ...accounts import passkeys  # imported late: the library is only needed for passkeys

    begun = passkeys.begin_asking(user)
    reply = JsonResponse(begun.options)
    reply.set_signed_cookie(
        _QUESTION,
        json.dumps(begun.state),
        salt=_SALT,
        max_age=_QUESTION_LASTS_S,
        path=answer_path,
        secure=settings.SESSION_COOKIE_SECURE,
        httponly=True,
        samesite="Strict",
    )
    return reply


def take_answer(request: HttpRequest, user: User | None) -> User | None:
    """Return the owner of the passkey that has answered this browser's challenge. ``user``: accept only this user."""
    from ...accounts import passkeys

    try:
        state = json.loads(request.get_signed_cookie(_QUESTION, salt=_SALT, max_age=_QUESTION_LASTS_S) or "")
    except (KeyError, BadSignature, ValueError):
        return None
    answer = read_json(request)
    return passkeys.take(state, answer, user) if answer else None


def read_json(request: HttpRequest) -> dict[str, Any] | None:
    try:
        sent = json.loads(request.body)
    except (ValueError, RecursionError):
        return None
    return sent if isinstance(sent, dict) else None


def finish(request: HttpRequest, step: FirstStep, factor: str) -> None:
    tried = SignIn.objects.filter(pk=step.tried).first() or SignIn(
        name=name_account(step.user.get_username()), client=key_of_client(request), network=network_of(request)
    )
    sign_in(request, step.user, tried, factor)


def _describe(user: User) -> dict[str, Any]:
    kinds = set(SecondFactor.objects.filter(user=user).values_list("kind", flat=True))
    return {
        "person": user,
        "has_app": SecondFactor.Kind.APP in kinds,
        "has_passkey": SecondFactor.Kind.PASSKEY in kinds,
        "has_recovery": user.recovery_codes.exists(),
    }


def _begin_again(request: HttpRequest) -> HttpResponse:
    messages.error(request, _AGAIN)
    return redirect("wagtailadmin_login")


def _require_passkeys() -> None:
    if settings.SECOND_FACTOR == "off":
        raise Http404


URLS: Final[list[URLPattern]] = [
    path("login/second-step/", without_markup_by_scripts(ask_for_factor), name="studio_second_step"),
    path("login/passkey/question/", ask_for_passkey, name="studio_passkey_question"),
    path("login/passkey/answer/", take_passkey, name="studio_passkey_answer"),
]
