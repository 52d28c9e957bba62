"""Read the alert settings: who is notified if an edit is not live within a set time."""

from collections.abc import Iterator
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from .destinations import LeadRules, MailAddress, SecretName, WebhookUrl


class AlertRules(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")

    after_s: Annotated[int, Field(ge=0, le=86_400)] = 0
    """Seconds after the save of an edit; 0: no alerts. ``PORTOLAN_ALERT_AFTER_S`` overrides it."""
    mail_to: Annotated[list[MailAddress], Field(max_length=20)] = []
    """Receive e-mails from ``leads.sender``."""
    webhook: WebhookUrl | None = None
    secret_env: SecretName | None = None
    """Variable with ``whsec_…``, the key that signs messages to the webhook."""


def find_alert_problems(alerts: AlertRules, leads: LeadRules) -> Iterator[str]:
    """Yield the problems with their place and fix."""
    if alerts.webhook and not alerts.secret_env:
        yield "alerts.secret_env: is missing, but messages to the webhook are signed; add the name of the variable that has the secret"
    if alerts.mail_to and not leads.sender:
        yield "leads.sender: is missing; add the sender of e-mails about alerts"
