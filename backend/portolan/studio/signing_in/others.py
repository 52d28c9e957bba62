"""How an administrator manages another person's sign-in. Linked from the list of users."""

from collections.abc import Iterator
from typing import Final, cast

from django.conf import settings
from django.contrib import messages
from django.contrib.auth import get_user_model
from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.template.response import TemplateResponse
from django.urls import URLPattern, path, reverse
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods
from wagtail.admin.widgets.button import Button

from ...accounts.endings import reset_second_factor, sign_out
from ...accounts.models import SecondFactor, SignIn, StudioSession
from ...accounts.provider_accounts import disconnect, is_connected
from ...accounts.throttle import is_locked, unlock
from ..people.letters import tell_owner
from ..people.looking_after import may_look_after
from ..people.viewset import show_invitation
from .steps import confirm_first, is_fresh


@never_cache
@require_http_methods(["GET", "POST"])
def show_person(request: HttpRequest, user_id: int) -> HttpResponse:
    person = get_object_or_404(get_user_model(), pk=user_id)
    if not may_look_after(cast(User, request.user), person):
        raise PermissionDenied
    here = reverse("studio_person_signing_in", args=[person.pk])
    if request.method == "POST":
        if not is_fresh(request):
            return confirm_first(here)
        if request.POST.get("action") == "invite":
            return show_invitation(request, person)
        if done := _do(request.POST.get("action", ""), person):
            messages.success(request, done)
        return redirect(here)
    return TemplateResponse(
        request,
        "studio/signing_in/person.html",
        {
            "person": person,
            "factors": SecondFactor.objects.filter(user=person),
            "sessions": StudioSession.objects.filter(user=person).count(),
            "has_password": person.has_usable_password(),
            "provider": settings.SINGLE_SIGN_ON and settings.SINGLE_SIGN_ON.name,
            "is_connected": is_connected(person),
            "is_locked": is_locked(person.get_username()),
            "recent": SignIn.objects.filter(name=person.get_username().casefold())[:10],
        },
    )


def _do(action: str, person: User) -> str:
    """Do the action and return a message about it."""
    name = person.get_full_name() or person.get_username()
    match action:
        case "reset":
            if reset_second_factor(person):
                tell_owner(person, _("A second factor or passkey of your account was removed."))
            return gettext(
                "The second factor of {name} was removed and all sessions ended. The password is enough until a new second "
                "factor is set up."
            ).format(name=name)
        case "disconnect":
            if disconnect(person):
                tell_owner(person, _("Single sign-on was disconnected from your account."))
            sign_out(person)
            return gettext("Single sign-on of {name} disconnected. All sessions ended.").format(name=name)
        case "sign-out":
            sign_out(person)
            return gettext("All sessions of {name} ended.").format(name=name)
        case "unlock":
            unlock(person.get_username())
            return gettext("{name} unlocked. The person can sign in now.").format(name=name)
    return ""


def list_buttons(user: User, request_user: User) -> Iterator[Button]:
    if may_look_after(request_user, user):
        yield Button(
            gettext("Signing in"), reverse("studio_person_signing_in", args=[user.pk]), icon_name="key", priority=25
        )


URLS: Final[list[URLPattern]] = [
    path("users/<int:user_id>/signing-in/", show_person, name="studio_person_signing_in"),
]
