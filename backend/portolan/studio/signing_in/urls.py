"""Addresses for people who are not signed in: to be put before Wagtail's own."""

from django.urls import URLPattern, path

from ..people.accepting import AcceptInvitationView
from . import elsewhere, second_step, set_up
from .login import SignInView
from .passwords import ChoosePasswordView


def urls() -> list[URLPattern]:
    return [
        path("login/", SignInView.as_view(), name="wagtailadmin_login"),
        path("login/password/<uidb64>/<token>/", ChoosePasswordView.as_view(), name="studio_choose_password"),
        path("login/invitation/<uidb64>/<token>/", AcceptInvitationView.as_view(), name="studio_accept_invitation"),
        *elsewhere.URLS,
        *second_step.URLS,
        *set_up.URLS,
    ]
