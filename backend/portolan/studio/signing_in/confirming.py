"""Confirm the identity before a change to how a user signs in.

Otherwise a browser that was left signed in would be enough to take over the account.
"""

from typing import Any, Final, cast

from django.conf import settings
from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.urls import URLPattern, path, reverse
from django.utils.http import urlencode
from django.utils.translation import gettext_lazy as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST

from ...accounts.models import SecondFactor, SignIn
from ...accounts.provider_accounts import is_connected
from ...accounts.single_sign_on import Purpose
from ...accounts.throttle import TooManyTries, begin, begin_code
from .elsewhere import link_for
from .refusals import refuse, say_how_long
from .second_step import ask, take_answer
from .steps import confirm, own_path

_PAGE: Final = "studio/signing_in/confirm.html"
_WRONG: Final = _("Wrong password. Try again.")
_WRONG_KEY: Final = _("This is not your passkey, or it could not be checked. Try again.")


@never_cache
def confirm_password(request: HttpRequest) -> HttpResponse:
    user = cast(User, request.user)
    goes_on = _goes_on(request)
    context = _describe(request, user, goes_on)
    if request.method != "POST":
        return TemplateResponse(request, _PAGE, context)
    try:
        tried = begin(request, user.get_username())
    except TooManyTries as error:
        return refuse(error)
    if user.check_password(request.POST.get("password", "")):
        tried.delete()
        confirm(request)
        return redirect(goes_on)
    tried.user, tried.result = user, SignIn.Result.WRONG_PASSWORD
    tried.save()
    return TemplateResponse(request, _PAGE, {**context, "error": _WRONG}, status=400)


@never_cache
@require_POST
def ask_for_passkey(request: HttpRequest) -> JsonResponse:
    return ask(cast(User, request.user), reverse("studio_confirm_answer"))


@never_cache
@require_POST
def take_passkey(request: HttpRequest) -> JsonResponse:
    user = cast(User, request.user)
    try:
        tried = begin_code(request, user)
    except TooManyTries as error:
        return JsonResponse({"error": say_how_long(error)}, status=429, headers={"Retry-After": str(error.wait_s)})
    if take_answer(request, user) is None:
        return JsonResponse({"error": _WRONG_KEY}, status=400)
    tried.delete()
    confirm(request)
    return JsonResponse({"next": _goes_on(request)})


def _goes_on(request: HttpRequest) -> str:
    wanted = request.POST.get("next") or request.GET.get("next", "")
    return own_path(request, wanted, reverse("studio_signing_in"))


def _describe(request: HttpRequest, user: User, goes_on: str) -> dict[str, Any]:
    keys = SecondFactor.objects.filter(user=user, kind=SecondFactor.Kind.PASSKEY)
    return {
        "goes_on": goes_on,
        "has_password": user.has_usable_password(),
        "has_passkey": settings.SECOND_FACTOR != "off" and keys.exists(),
        "answer": f"{reverse('studio_confirm_answer')}?{urlencode({'next': goes_on})}",
        "provider": settings.SINGLE_SIGN_ON and settings.SINGLE_SIGN_ON.name,
        "elsewhere": link_for(request, Purpose.CONFIRM, goes_on) if is_connected(user) else "",
    }


URLS: Final[list[URLPattern]] = [
    path("account/signing-in/confirm/", confirm_password, name="studio_confirm"),
    path("account/signing-in/confirm/passkey/question/", ask_for_passkey, name="studio_confirm_question"),
    path("account/signing-in/confirm/passkey/answer/", take_passkey, name="studio_confirm_answer"),
]
