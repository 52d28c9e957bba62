"""Set up a second factor, for signed-in people and for those who need one before they can sign in."""

from typing import Any, Final

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.models import User
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.urls import URLPattern, path, reverse
from django.utils.safestring import mark_safe
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from ...accounts.models import RecoveryCode, SecondFactor, SignIn
from ...accounts.second_factors import add_app, app_address, draw_qr_code, is_asked, new_secret
from ..content_policy import without_markup_by_scripts
from ..people.letters import tell_owner
from .second_step import finish, read_json
from .steps import confirm_first, first_step, is_fresh, may_use_studio

_PAGE: Final = "studio/signing_in/set_up.html"
_NEW_APP: Final = "new_app"
_QUESTION: Final = "new_passkey_question"
_WRONG: Final = _(
    "This code is wrong. Enter the code that the app shows now. The clock of your phone must be correct to the minute."
)
_NO_KEY: Final = _("The passkey could not be added. Try again, or use an authenticator app.")


@never_cache
@require_http_methods(["GET", "POST"])
def set_up(request: HttpRequest) -> HttpResponse:
    person = _who(request)
    if person is None:
        return _redirect_away(request)
    secret = request.session.get(_NEW_APP)
    if request.method == "GET" or not secret:
        secret = request.session[_NEW_APP] = new_secret()
        return TemplateResponse(request, _PAGE, _describe(request, person, secret))
    if not add_app(
        person, secret, request.POST.get("code", "").replace(" ", ""), _name(request, gettext("Authenticator app"))
    ):
        return TemplateResponse(request, _PAGE, {**_describe(request, person, secret), "error": _WRONG}, status=400)
    del request.session[_NEW_APP]
    return redirect(_go_on(request, person, SignIn.Factor.CODE))


@never_cache
@require_POST
def ask_for_new_passkey(request: HttpRequest) -> JsonResponse:
    from ...accounts import passkeys  # imported late: the library is only needed for passkeys

    person = _who(request)
    if person is None:
        return JsonResponse({"error": gettext("Your session has ended. Sign in again.")}, status=403)
    begun = passkeys.begin_adding(person)
    request.session[_QUESTION] = begun.state
    return JsonResponse(begun.options)


@never_cache
@require_POST
def add_passkey(request: HttpRequest) -> JsonResponse:
    from ...accounts import passkeys  # imported late: the library is only needed for passkeys

    person, state, answer = _who(request), request.session.pop(_QUESTION, None), read_json(request)
    if person is None:
        return JsonResponse({"error": gettext("Your session has ended. Sign in again.")}, status=403)
    try:
        passkeys.add(person, state or {}, answer or {}, _device(request))
    except ValueError:
        return JsonResponse({"error": _NO_KEY}, status=400)
    return JsonResponse({"next": _go_on(request, person, SignIn.Factor.KEY)})


def _who(request: HttpRequest) -> User | None:
    """Return the person who may add a second factor.

    That is a signed-in person who has just confirmed the identity, or one who entered the password and has no second
    factor yet.
    """
    if settings.SECOND_FACTOR == "off":
        raise Http404
    if request.user.is_authenticated:
        return request.user if may_use_studio(request.user) and is_fresh(request) else None
    step = first_step(request)
    return step.user if step and not is_asked(step.user) else None


def _go_on(request: HttpRequest, person: User, factor: str) -> str:
    """Return the URL of the next page. Sign the person in if this was the second step."""
    step = None if request.user.is_authenticated else first_step(request)
    if step:
        finish(request, step, factor)
    tell_owner(person, _("A second factor or passkey was added to your account."))
    messages.success(request, gettext("Second factor added. You need it the next time you sign in."))
    if not RecoveryCode.objects.filter(user=person).exists():
        return reverse("studio_recovery_codes")
    return reverse("studio_signing_in")


def _describe(request: HttpRequest, person: User, secret: str) -> dict[str, Any]:
    drawing = draw_qr_code(app_address(person, secret))
    return {
        "person": person,
        "is_needed": not request.user.is_authenticated,
        "drawing": mark_safe(drawing),  # noqa: S308  (drawn by us)
        "secret": " ".join(secret[at : at + 4] for at in range(0, len(secret), 4)),
    }


def _redirect_away(request: HttpRequest) -> HttpResponse:
    if request.user.is_authenticated:
        return confirm_first(reverse("studio_set_up"))
    return redirect("wagtailadmin_login")


def _name(request: HttpRequest, usual: str) -> str:
    return request.POST.get("name", "").strip()[:60] or usual


def _device(request: HttpRequest) -> str:
    """Return a passkey's name: the system on which it was created, if the browser sends it."""
    agent = request.headers.get("User-Agent", "")
    systems = {
        "iPhone": "iPhone",
        "iPad": "iPad",
        "Android": "Android",
        "Macintosh": "Mac",
        "Windows": "Windows",
        "Linux": "Linux",
    }
    found = next((system for mark, system in systems.items() if mark in agent), "")
    return gettext("Passkey, {found}").format(found=found) if found else str(SecondFactor.Kind.PASSKEY.label)


URLS: Final[list[URLPattern]] = [
    path("login/set-up/", without_markup_by_scripts(set_up), name="studio_set_up"),
    path("login/set-up/passkey/question/", ask_for_new_passkey, name="studio_new_passkey_question"),
    path("login/set-up/passkey/answer/", add_passkey, name="studio_new_passkey_answer"),
]
