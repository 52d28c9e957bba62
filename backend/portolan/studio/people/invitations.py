"""A link by which somebody chooses a password: good once, for seven days. Where there is no mail server, whoever invites hands
it over.
"""

from email.message import EmailMessage
from typing import Final, NamedTuple

from django.conf import settings
from django.contrib.auth.models import User
from django.contrib.auth.tokens import PasswordResetTokenGenerator
from django.urls import reverse
from django.utils.encoding import force_bytes
from django.utils.http import urlsafe_base64_encode
from django.utils.translation import gettext, override

from ...leads.destinations.base import Permanent, Retryable
from ...leads.destinations.email import Mailer
from ..languages import language_of

DAYS: Final = 7
_PATIENCE_S: Final = 10
"""Whoever invites waits for the mail server so long."""


class InvitationTokens(PasswordResetTokenGenerator):
    """Django's, which end with the first use, but they last longer: their time is counted from later on."""

    key_salt = "portolan.studio.invitation"

    def make_token(self, user: User) -> str:
        later = DAYS * 24 * 3600 - settings.PASSWORD_RESET_TIMEOUT
        made: str = self._make_token_with_timestamp(user, self._num_seconds(self._now()) + later, self.secret)
        return made


class Invitation(NamedTuple):
    link: str
    is_sent: bool
    why_not: str
    """Why there was no mail."""


def invite(person: User, by: str) -> Invitation:
    """Earlier links, and a password there was, are worth nothing afterwards."""
    person.set_unusable_password()
    person.save(update_fields=["password"])
    link = make_link(person)
    if settings.MAIL_SERVER is None:
        return Invitation(link, False, gettext("This installation has no mail server."))
    if not person.email:
        return Invitation(link, False, gettext("The account has no e-mail address."))
    sender = settings.SITES_REGISTRY.leads.sender
    if not sender:
        return Invitation(link, False, gettext("The registry names no sender for mail."))
    try:
        with override(language_of(person)):
            message = _write(person, by, link, sender)
        Mailer(settings.MAIL_SERVER, sender, _PATIENCE_S).send(message, [person.email])
    except (Retryable, Permanent) as error:
        return Invitation(link, False, str(error))
    return Invitation(link, True, "")


def make_link(person: User) -> str:
    parts = [urlsafe_base64_encode(force_bytes(person.pk)), InvitationTokens().make_token(person)]
    return f"{settings.WAGTAILADMIN_BASE_URL}{reverse('studio_accept_invitation', args=parts)}"


def _write(person: User, by: str, link: str, sender: str) -> EmailMessage:
    message = EmailMessage()
    message["Subject"] = gettext("Your account for {studio}").format(studio=settings.WAGTAIL_SITE_NAME)
    message["From"] = sender
    message["To"] = person.email
    message["Auto-Submitted"] = "auto-generated"
    message.set_content(
        gettext(
            "Hello {name},\n\n"
            "{by} has made an account for you, named {username}. Choose a password here:\n\n{link}\n\n"
            "The link is good once, for {days} days. Do not pass it on: whoever opens it has your account.\n"
        ).format(
            name=person.first_name or person.get_username(),
            by=by,
            username=person.get_username(),
            link=link,
            days=DAYS,
        )
    )
    return message
