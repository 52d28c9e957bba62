"""The user's own page for signing in: address, password, second factors and sessions. Linked from *Account*."""

from typing import Any, Final, cast

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.template.response import TemplateResponse
from django.urls import URLPattern, path, reverse
from django.utils import timezone
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST

from ...accounts.endings import sign_out
from ...accounts.models import NewAddress, ProviderAccount, RecoveryCode, SecondFactor, SignIn, StudioSession
from ...accounts.provider_accounts import count_ways_in
from ...accounts.second_factors import make_recovery_codes
from ...accounts.single_sign_on import Purpose
from ...domain.single_sign_on import Provider
from ..people.letters import tell_owner
from .elsewhere import link_for
from .steps import confirm_first, is_fresh


@never_cache
def show_own(request: HttpRequest) -> HttpResponse:
    user = cast(User, request.user)
    sessions = StudioSession.objects.filter(user=user).order_by("-began_at")
    return TemplateResponse(
        request,
        "studio/signing_in/own.html",
        {
            "policy": settings.SECOND_FACTOR,
            "factors": SecondFactor.objects.filter(user=user),
            "codes": RecoveryCode.objects.filter(user=user).count(),
            "sessions": [(each, each.session_key == request.session.session_key) for each in sessions],
            "recent": SignIn.objects.filter(user=user)[:10],
            "new_address": NewAddress.objects.filter(user=user, until__gt=timezone.now()).first(),
            **_describe_provider(request, user),
        },
    )


def _describe_provider(request: HttpRequest, user: User) -> dict[str, Any]:
    provider: Provider | None = settings.SINGLE_SIGN_ON
    if provider is None:
        return {}
    account = ProviderAccount.objects.filter(user=user, issuer=provider.issuer).first()
    connect = "" if account else link_for(request, Purpose.CONNECT, reverse("studio_signing_in"))
    return {"provider": provider.name, "provider_account": account, "connect": connect}


@require_POST
def remove_factor(request: HttpRequest, factor_id: int) -> HttpResponse:
    user = cast(User, request.user)
    factor = get_object_or_404(SecondFactor, pk=factor_id, user=user)
    if not is_fresh(request):
        return confirm_first(reverse("studio_signing_in"))
    if settings.SECOND_FACTOR == "required" and SecondFactor.objects.filter(user=user).count() == 1:
        messages.error(
            request, gettext("This studio requires a second factor. Add another one before you remove this one.")
        )
        return redirect("studio_signing_in")
    if factor.kind == SecondFactor.Kind.PASSKEY and count_ways_in(user) == 1:
        messages.error(
            request,
            gettext("This passkey is your only way to sign in. First choose a password or add another passkey."),
        )
        return redirect("studio_signing_in")
    factor.delete()
    if not SecondFactor.objects.filter(user=user).exists():
        RecoveryCode.objects.filter(user=user).delete()
    tell_owner(user, _("A second factor or passkey of your account was removed."))
    messages.success(request, gettext("{name} removed.").format(name=factor.name))
    return redirect("studio_signing_in")


@never_cache
def show_recovery_codes(request: HttpRequest) -> HttpResponse:
    """Create codes and show them, both by POST and once: only their digests are stored."""
    user = cast(User, request.user)
    if not SecondFactor.objects.filter(user=user).exists():
        return redirect("studio_signing_in")
    if not is_fresh(request):
        return confirm_first(reverse("studio_recovery_codes"))
    codes = make_recovery_codes(user) if request.method == "POST" else []
    has_some = bool(codes) or RecoveryCode.objects.filter(user=user).exists()
    return TemplateResponse(request, "studio/signing_in/recovery_codes.html", {"codes": codes, "has_some": has_some})


@require_POST
def sign_out_elsewhere(request: HttpRequest) -> HttpResponse:
    count = sign_out(cast(User, request.user), apart_from=request.session.session_key)
    messages.success(
        request,
        ngettext(
            "{count} other session ended.",
            "{count} other sessions ended.",
            count,
        ).format(count=count),
    )
    return redirect("studio_signing_in")


def describe_for_menu(request: HttpRequest) -> dict[str, str]:
    """Return the entry for *Account → More actions*."""
    return {
        "url": reverse("studio_signing_in"),
        "label": gettext("Signing in"),
        "help_text": gettext("E-mail address, password, passkeys, second factors and sessions."),
    }


URLS: Final[list[URLPattern]] = [
    path("account/signing-in/", show_own, name="studio_signing_in"),
    path("account/signing-in/recovery-codes/", show_recovery_codes, name="studio_recovery_codes"),
    path("account/signing-in/sign-out-elsewhere/", sign_out_elsewhere, name="studio_sign_out_elsewhere"),
    path("account/signing-in/<int:factor_id>/remove/", remove_factor, name="studio_remove_factor"),
]
