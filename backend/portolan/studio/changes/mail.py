"""Send e-mails about change sets. Runs in the process that sends all e-mail."""

import logging
from collections.abc import Callable
from datetime import timedelta
from email.message import EmailMessage
from typing import Final

from django.conf import settings
from django.urls import reverse
from django.utils import timezone

from ...content.change_sets.models import ChangeSetNotice
from ...leads.destinations.base import Permanent, Retryable
from ...leads.destinations.email import Mailer

_TRIED_FOR: Final = timedelta(days=2)
_LONGEST_SUBJECT: Final = 120

_log = logging.getLogger(__name__)


def tell_people(mailer: Mailer) -> None:
    """Send all notifications.

    If there is a mail server; the dashboard has the tasks anyway. If the server rejects one for a while, the others
    wait with it.
    """
    for notice in ChangeSetNotice.objects.select_related("to", "change_set"):
        if settings.MAIL_SERVER and mailer.sender and notice.to.email and notice.to.is_active:
            try:
                mailer.send(_write(notice, mailer.sender), [notice.to.email])
            except Retryable as error:
                if notice.at > timezone.now() - _TRIED_FOR:
                    return
                _log.error("No e-mail about the change set %s was sent: %s", notice.change_set_id, error.reason)
            except Permanent as error:
                _log.error("No e-mail about the change set %s was sent: %s", notice.change_set_id, error.reason)
        notice.delete()


def in_turn(*tasks: Callable[[], None]) -> Callable[[], None]:
    def do_all() -> None:
        for task in tasks:
            task()

    return do_all


def _write(notice: ChangeSetNotice, sender: str) -> EmailMessage:
    message = EmailMessage()
    message["Subject"] = " ".join(notice.said.split())[:_LONGEST_SUBJECT]
    message["From"] = sender
    message["To"] = notice.to.email
    message["Auto-Submitted"] = "auto-generated"
    url = settings.WAGTAILADMIN_BASE_URL + reverse("studio_change_set", args=[notice.change_set_id])
    message.set_content(f"{notice.said}\n\n{url}\n")
    return message
