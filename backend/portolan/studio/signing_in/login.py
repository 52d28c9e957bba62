"""The first step: name and password. Extends Wagtail's view."""

from typing import Any

from django.conf import settings
from django.contrib.auth.models import User
from django.forms import Form
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.utils.translation import gettext_lazy as _
from wagtail.admin.forms.auth import LoginForm
from wagtail.admin.views.account import LoginView

from ...accounts.models import SignIn
from ...accounts.second_factors import is_asked, is_missing
from ...accounts.throttle import TooManyTries, begin
from .refusals import refuse
from .steps import keep_first_step, may_use_studio, sign_in


class NameAndPassword(LoginForm):
    """Without "remember me": every session ends after twelve hours."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        del self.fields["remember"]
        self.fields["username"].widget.attrs["autocomplete"] = "username webauthn"
        self.fields["password"].widget.attrs["autocomplete"] = "current-password"
        self.fields["password"].label = _("Password")
        for field in self.fields.values():  # repeats the label, and is cut off in German
            field.widget.attrs.pop("placeholder", None)

    def confirm_login_allowed(self, user: User) -> None:
        """Show people without access the same error as for a wrong password."""
        if not may_use_studio(user):
            raise self.get_invalid_login_error()


class SignInView(LoginView):
    def get_form_class(self) -> type[Form]:
        return NameAndPassword

    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        try:
            self._tried = begin(request, request.POST.get("username", ""))
        except TooManyTries as error:
            return refuse(error)
        response: HttpResponse = super().post(request, *args, **kwargs)
        return response

    def form_valid(self, form: NameAndPassword) -> HttpResponseRedirect:
        user, tried, goes_on = form.get_user(), self._tried, self.get_success_url()
        if not is_asked(user) and not is_missing(user):
            sign_in(self.request, user, tried, SignIn.Factor.PASSWORD)
            return HttpResponseRedirect(goes_on)
        tried.user, tried.result = user, SignIn.Result.AWAITS_FACTOR
        tried.save()
        keep_first_step(self.request, user, tried, goes_on)
        return HttpResponseRedirect(reverse("studio_second_step" if is_asked(user) else "studio_set_up"))

    def form_invalid(self, form: NameAndPassword) -> HttpResponse:
        self._tried.result = SignIn.Result.WRONG_PASSWORD
        self._tried.save()
        response: HttpResponse = super().form_invalid(form)
        return response

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        context: dict[str, Any] = super().get_context_data(**kwargs)
        return {
            **context,
            "offers_passkeys": settings.SECOND_FACTOR != "off",
            "elsewhere": settings.SINGLE_SIGN_ON and settings.SINGLE_SIGN_ON.name,
        }
