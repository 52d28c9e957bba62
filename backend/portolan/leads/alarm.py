"""Report a lead that could not be delivered: in the log, and by e-mail if the site configuration names a recipient."""

import logging
from collections.abc import Callable, Sequence
from email.message import EmailMessage

from ..domain.words import say_count
from .destinations.base import DeliveryError
from .destinations.email import Mailer
from .models import Delivery

Alarm = Callable[[Delivery], None]

_log = logging.getLogger(__name__)


class DeadLetterAlarm:
    def __init__(self, mailer: Mailer, to: Sequence[str]) -> None:
        self._mailer = mailer
        self._to = to

    def __call__(self, delivery: Delivery) -> None:
        """Report the failure. Never raises, because the lead is in the inbox anyway."""
        _log.error(
            "Lead %s could not be delivered to %s after %s attempts: %s Deliver it again from the inbox.",
            delivery.lead_id,
            delivery.destination,
            delivery.attempts,
            delivery.reason,
        )
        if not self._to:
            return
        message = EmailMessage()
        message["Subject"] = f"Lead not delivered to {delivery.destination}"
        message["From"] = self._mailer.sender
        message["To"] = ", ".join(self._to)
        message["Auto-Submitted"] = "auto-generated"
        message.set_content(
            f"Lead {delivery.lead_id} could not be delivered to {delivery.destination} after "
            f"{say_count(delivery.attempts, 'attempt', 'attempts')}.\n"
            f"Last error: {delivery.reason}\n\n"
            "The lead is safe in the studio's inbox. Fix the destination, then open the lead there and press "
            '"Deliver again".\n'
        )
        try:
            self._mailer.send(message, self._to)
        except DeliveryError as error:
            _log.error("The e-mail about lead %s could not be sent: %s", delivery.lead_id, error.reason)
