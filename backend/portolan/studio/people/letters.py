"""Send mails about an account to its owner. Without a mail server, an administrator has to tell the owner."""

import logging
from email.message import EmailMessage
from typing import Any, Final

from django.conf import settings
from django.contrib.auth.models import User
from django.utils.translation import gettext, override

from ...leads.destinations.base import Permanent, Retryable
from ...leads.destinations.email import Mailer
from ..languages import language_of

_PATIENCE_S: Final = 10
"""Seconds to wait for the mail server, while the user who caused the mail waits too."""
_log = logging.getLogger(__name__)


def send(to: str, subject: str, text: str) -> str:
    """Send a mail. Return why it was not sent; empty if it was sent."""
    if settings.MAIL_SERVER is None:
        return gettext("No mail server is set up.")
    if not to:
        return gettext("The account has no e-mail address.")
    sender = settings.SITES_REGISTRY.leads.sender
    if not sender:
        return gettext("The site configuration names no sender for mail.")
    message = EmailMessage()
    message["Subject"] = subject
    message["From"] = sender
    message["To"] = to
    message["Auto-Submitted"] = "auto-generated"
    message.set_content(text)
    try:
        Mailer(settings.MAIL_SERVER, sender, _PATIENCE_S).send(message, [to])
    except (Retryable, Permanent) as error:
        return str(error)
    return ""


def can_send() -> bool:
    return settings.MAIL_SERVER is not None and bool(settings.SITES_REGISTRY.leads.sender)


def tell_owner(person: User, happened: Any, to: str = "") -> None:
    """Tell the owner about a change to how they sign in.

    ``happened``: lazy text, translated into the owner's language. ``to``: the previous address of the account.
    """
    to = to or person.email
    if not (to and can_send()):
        return
    with override(language_of(person)):
        subject = gettext("Your account for {studio} was changed").format(studio=settings.WAGTAIL_SITE_NAME)
        text = gettext(
            "Hello {name},\n\n{happened}\n\n"
            "If you did not do this, another person may be using your account. Tell an administrator of the studio at once.\n"
        ).format(name=person.first_name or person.get_username(), happened=str(happened))
        why_not = send(to, subject, text)
    if why_not:
        _log.warning("No mail about a change was sent to the owner of account %s: %s", person.pk, why_not)
