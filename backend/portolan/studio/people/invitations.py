"""Invite a person with a link to choose a password. It works once, for seven days.

Without a mail server, the administrator sends the link.
"""

from typing import Final, NamedTuple

from django.conf import settings
from django.contrib.auth.models import User
from django.contrib.auth.tokens import PasswordResetTokenGenerator
from django.urls import reverse
from django.utils.encoding import force_bytes
from django.utils.http import urlsafe_base64_encode
from django.utils.translation import gettext, override

from ...accounts import provider_accounts
from ..languages import language_of
from .letters import send

DAYS: Final = provider_accounts.INVITED_FOR.days


class InvitationTokens(PasswordResetTokenGenerator):
    """Django's tokens, which work once, with a longer lifetime: they are dated in the future."""

    key_salt = "portolan.studio.invitation"

    def make_token(self, user: User) -> str:
        later = DAYS * 24 * 3600 - settings.PASSWORD_RESET_TIMEOUT
        made: str = self._make_token_with_timestamp(user, self._num_seconds(self._now()) + later, self.secret)
        return made


class Invitation(NamedTuple):
    link: str
    is_sent: bool
    why_not: str
    """Why the mail was not sent."""


def invite(person: User, by: str) -> Invitation:
    """Invite the person again. Earlier links and passwords become invalid. Single sign-on is allowed too."""
    person.set_unusable_password()
    person.save(update_fields=["password"])
    provider_accounts.invite(person)
    link = make_link(person)
    with override(language_of(person)):
        subject = gettext("Your account for {studio}").format(studio=settings.WAGTAIL_SITE_NAME)
        text = _write(person, by, link)
    why_not = send(person.email, subject, text)
    return Invitation(link, not why_not, why_not)


def make_link(person: User) -> str:
    parts = [urlsafe_base64_encode(force_bytes(person.pk)), InvitationTokens().make_token(person)]
    return f"{settings.WAGTAILADMIN_BASE_URL}{reverse('studio_accept_invitation', args=parts)}"


def _write(person: User, by: str, link: str) -> str:
    text = gettext(
        "Hello {name},\n\n"
        "{by} has created an account for you. Your user name is {username}. Choose a password here:\n\n{link}\n\n"
        "The link works once, for {days} days. Do not forward it: the first person who opens it gets your account.\n"
    ).format(
        name=person.first_name or person.get_username(),
        by=by,
        username=person.get_username(),
        link=link,
        days=DAYS,
    )
    if settings.SINGLE_SIGN_ON:
        text += gettext("You can also sign in with {provider}: {studio}\n").format(
            provider=settings.SINGLE_SIGN_ON.name,
            studio=f"{settings.WAGTAILADMIN_BASE_URL}{reverse('wagtailadmin_login')}",
        )
    return text
