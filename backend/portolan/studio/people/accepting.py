"""Accept an invitation: choose a password, set up the second factor, and sign in."""

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.models import User
from django.contrib.auth.views import INTERNAL_RESET_SESSION_TOKEN
from django.forms import Form
from django.http import HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.utils.translation import gettext

from ...accounts.models import SignIn
from ...accounts.second_factors import is_asked, is_missing
from ...accounts.throttle import TooManyTries, begin
from ..signing_in.passwords import ChoosePasswordView
from ..signing_in.steps import keep_first_step, may_use_studio, sign_in
from .invitations import DAYS, InvitationTokens


class AcceptInvitationView(ChoosePasswordView):
    token_generator = InvitationTokens()
    extra_context = {"days": DAYS}

    def form_valid(self, form: Form) -> HttpResponse:
        user: User = form.save()  # type: ignore[attr-defined]
        del self.request.session[INTERNAL_RESET_SESSION_TOKEN]
        messages.success(self.request, gettext("Password saved."))
        login = HttpResponseRedirect(reverse("wagtailadmin_login"))
        if not may_use_studio(user):
            return login
        try:
            tried = begin(self.request, user.get_username())
        except TooManyTries:
            return login
        if is_asked(user) or is_missing(user):
            tried.user, tried.result = user, SignIn.Result.AWAITS_FACTOR
            tried.save()
            keep_first_step(self.request, user, tried, reverse("wagtailadmin_home"))
            return HttpResponseRedirect(reverse("studio_second_step" if is_asked(user) else "studio_set_up"))
        sign_in(self.request, user, tried, SignIn.Factor.PASSWORD)
        return HttpResponseRedirect(
            reverse("wagtailadmin_home" if settings.SECOND_FACTOR == "off" else "studio_set_up")
        )
