"""Let a person choose a password by a link from `portolan users`. Wagtail's own view for e-mails is off."""

from django.contrib import messages
from django.contrib.auth.views import PasswordResetConfirmView
from django.forms import Form
from django.http import HttpResponse
from django.urls import reverse_lazy
from django.utils.translation import gettext


class ChoosePasswordView(PasswordResetConfirmView):
    template_name = "studio/signing_in/choose_password.html"
    success_url = reverse_lazy("wagtailadmin_login")

    def form_valid(self, form: Form) -> HttpResponse:
        messages.success(self.request, gettext("Password saved. Sign in with it."))
        return super().form_valid(form)  # type: ignore[arg-type]
