"""Change the user's own e-mail address and password. A new address needs confirmation by a link sent to it."""

from typing import Final, cast

from django import forms
from django.conf import settings
from django.contrib import messages
from django.contrib.auth import update_session_auth_hash
from django.contrib.auth.forms import SetPasswordForm
from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.urls import URLPattern, path, reverse
from django.utils.translation import gettext, override
from django.utils.translation import gettext_lazy as _
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_POST

from ...accounts import addresses
from ...accounts.endings import sign_out
from ...accounts.models import NewAddress
from ..content_policy import without_markup_by_scripts
from ..languages import language_of
from ..people.forms import check_address
from ..people.letters import can_send, send, tell_owner
from .steps import confirm_first, is_fresh


class AddressForm(forms.Form):
    email = forms.EmailField(
        label=_("New e-mail address"), widget=forms.EmailInput(attrs={"autocomplete": "email"}), max_length=254
    )

    def __init__(self, user: User, *args: object) -> None:
        super().__init__(*args)  # type: ignore[arg-type]
        self.user = user

    def clean_email(self) -> str:
        email: str = self.cleaned_data["email"]
        check_address(email, self.user)
        return email


@never_cache
@require_http_methods(["GET", "POST"])
def change_address(request: HttpRequest) -> HttpResponse:
    user = cast(User, request.user)
    if not is_fresh(request):
        return confirm_first(reverse("studio_address"))
    form = AddressForm(user, request.POST) if request.method == "POST" else AddressForm(user)
    context = {"form": form, "can_send": can_send(), "address": user.email}
    if not form.is_valid() or not can_send():
        return TemplateResponse(
            request, "studio/signing_in/address.html", context, status=400 if form.is_bound else 200
        )
    email = form.cleaned_data["email"]
    secret = addresses.ask_for(user, email)
    link = f"{settings.WAGTAILADMIN_BASE_URL}{reverse('studio_confirm_address', args=[user.pk, secret])}"
    if why_not := send_link(user, email, link):
        NewAddress.objects.filter(user=user).delete()
        form.add_error("email", gettext("The link could not be sent: {why_not}").format(why_not=why_not))
        return TemplateResponse(request, "studio/signing_in/address.html", context, status=400)
    messages.success(request, gettext("Open the link that was sent to {email}.").format(email=email))
    return redirect("studio_signing_in")


def send_link(user: User, email: str, link: str) -> str:
    with override(language_of(user)):
        subject = gettext("Confirm your e-mail address for {studio}").format(studio=settings.WAGTAIL_SITE_NAME)
        text = gettext(
            "Hello {name},\n\n"
            "Open this link to use this e-mail address for your account {username}:\n\n{link}\n\n"
            "The link works once, for one day. If you did not request it, ignore this mail.\n"
        ).format(name=user.first_name or user.get_username(), username=user.get_username(), link=link)
        return send(email, subject, text)


@require_POST
def forget_address(request: HttpRequest) -> HttpResponse:
    if NewAddress.objects.filter(user=cast(User, request.user)).delete()[0]:
        messages.success(request, gettext("Your address did not change. The link that was sent is invalid."))
    return redirect("studio_signing_in")


@never_cache
@require_http_methods(["GET", "POST"])
def confirm_address(request: HttpRequest, user_id: int, secret: str) -> HttpResponse:
    """Confirm an address by its link. Mail filters open links too, so a person has to press a button."""
    page = "studio/signing_in/confirm_address.html"
    wanted = addresses.find_new(user_id, secret)
    if wanted is None:
        return TemplateResponse(request, page, {"wanted": None}, status=404)
    if request.method == "GET":
        return TemplateResponse(request, page, {"wanted": wanted})
    try:
        old = addresses.confirm(wanted)
    except addresses.Taken:
        error = gettext("Another account has this address. Ask an administrator of the studio.")
        return TemplateResponse(request, page, {"wanted": wanted, "error": error}, status=409)
    tell_owner(wanted.user, _("The e-mail address of your account was changed."), to=old)
    messages.success(request, gettext("The address of your account is now {email}.").format(email=wanted.email))
    return redirect("studio_signing_in" if request.user.is_authenticated else "wagtailadmin_login")


@never_cache
@sensitive_post_parameters()
@require_http_methods(["GET", "POST"])
def change_password(request: HttpRequest) -> HttpResponse:
    user = cast(User, request.user)
    if not is_fresh(request):
        return confirm_first(reverse("studio_password"))
    form = SetPasswordForm(user, request.POST) if request.method == "POST" else SetPasswordForm(user)
    if not form.is_valid():
        return TemplateResponse(
            request, "studio/signing_in/password.html", {"form": form}, status=400 if form.is_bound else 200
        )
    form.save()
    update_session_auth_hash(request, user)
    sign_out(user, apart_from=request.session.session_key)
    tell_owner(user, _("The password of your account was changed."))
    messages.success(request, gettext("Password changed. All your other sessions ended."))
    return redirect("studio_signing_in")


URLS: Final[list[URLPattern]] = [
    path("account/signing-in/address/", change_address, name="studio_address"),
    path("account/signing-in/address/forget/", forget_address, name="studio_forget_address"),
    path("account/signing-in/password/", change_password, name="studio_password"),
]
BEFORE_SIGN_IN: Final[list[URLPattern]] = [
    path(
        "login/address/<int:user_id>/<str:secret>/",
        without_markup_by_scripts(confirm_address),
        name="studio_confirm_address",
    ),
]
