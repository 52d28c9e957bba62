"""Open the destinations of the site configuration."""

from collections.abc import Iterator, Mapping

from ...domain.mail_server import MailServer
from ...outgoing.post import Poster
from ...sites.destinations import Hubspot, Mailbox, Webhook
from ...sites.registry import Registry
from .base import Destination, Unusable
from .email import EmailDestination, Mailer
from .hubspot import HubspotDestination
from .webhook import WebhookDestination, read_secrets


def open_destinations(
    registry: Registry, secrets: Mapping[str, str], mail_server: MailServer | None, poster: Poster | None = None
) -> dict[str, Destination]:
    """Return all destinations by name. One without its secret raises Retryable, so that its deliveries wait."""
    mailer = Mailer(mail_server, registry.leads.sender)
    opened = (_open(rules, secrets, mailer, poster or Poster()) for rules in registry.destinations)
    return {destination.name: destination for destination in opened}


def find_problems(
    destinations: Mapping[str, Destination], mail_server: MailServer | None, registry: Registry
) -> Iterator[str]:
    """Yield the problems of destinations, each with its fix."""
    for destination in destinations.values():
        if isinstance(destination, Unusable):
            yield f"{destination.name}: {destination.reason}"
    by_mail = [rules.name for rules in registry.destinations if isinstance(rules, Mailbox)]
    if mail_server is None and (by_mail or registry.leads.alarm_to):
        yield f"{', '.join(by_mail) or 'leads.alarm_to'}: PORTOLAN_SMTP_URL is not set."


def _open(
    rules: Webhook | Mailbox | Hubspot, secrets: Mapping[str, str], mailer: Mailer, poster: Poster
) -> Destination:
    if isinstance(rules, Mailbox):
        return EmailDestination(rules.name, rules.to, mailer)
    secret = secrets.get(rules.secret_env, "")
    if not secret:
        return Unusable(rules.name, f"{rules.secret_env} is not set.")
    if isinstance(rules, Hubspot):
        return HubspotDestination(rules, secret, poster)
    try:
        return WebhookDestination(rules.name, rules.url, read_secrets(secret), poster)
    except ValueError as error:
        return Unusable(rules.name, f"{rules.secret_env} is not a webhook secret: {error}.")
