"""Who is told when an edit is not live within a set time, as the registry says it."""

from collections.abc import Iterator
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from .destinations import LeadRules, MailAddress, SecretName, WebhookUrl


class AlertRules(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")

    after_s: Annotated[int, Field(ge=0, le=86_400)] = 0
    """Seconds from the save of an edit; 0: nobody is told. ``PORTOLAN_ALERT_AFTER_S`` comes before it."""
    mail_to: Annotated[list[MailAddress], Field(max_length=20)] = []
    """Told by e-mail, from ``leads.sender``."""
    webhook: WebhookUrl | None = None
    secret_env: SecretName | None = None
    """Names the variable that holds ``whsec_…``, with which messages to the webhook are signed."""


def find_alert_problems(alerts: AlertRules, leads: LeadRules) -> Iterator[str]:
    """Each with place and fix."""
    if alerts.webhook and not alerts.secret_env:
        yield "alerts.secret_env: is missing; messages to the webhook are signed: name the variable that holds its secret"
    if alerts.mail_to and not leads.sender:
        yield "leads.sender: is missing; e-mails about alerts need an address they come from: add it"
