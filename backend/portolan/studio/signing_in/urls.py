"""URLs for people who are not signed in. Put them before Wagtail's."""

from django.urls import URLPattern, path

from ..content_policy import without_markup_by_scripts as plain
from ..people.accepting import AcceptInvitationView
from . import address_and_password, elsewhere, second_step, set_up
from .login import SignInView
from .passwords import ChoosePasswordView


def urls() -> list[URLPattern]:
    return [
        path("login/", plain(SignInView.as_view()), name="wagtailadmin_login"),
        path("login/password/<uidb64>/<token>/", plain(ChoosePasswordView.as_view()), name="studio_choose_password"),
        path(
            "login/invitation/<uidb64>/<token>/", plain(AcceptInvitationView.as_view()), name="studio_accept_invitation"
        ),
        *address_and_password.BEFORE_SIGN_IN,
        *elsewhere.URLS,
        *second_step.URLS,
        *set_up.URLS,
    ]
