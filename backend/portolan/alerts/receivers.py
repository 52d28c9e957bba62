"""Send alerts to a webhook (Standard Webhooks, as for leads) and by e-mail."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from email.message import EmailMessage
from hashlib import sha256
from typing import Final, NamedTuple, Protocol

from ..domain.moments import stamp
from ..leads.destinations.base import Permanent, Retryable
from ..leads.destinations.email import Mailer
from ..leads.destinations.webhook import post_signed
from ..outgoing.network import FetchError
from ..outgoing.post import Poster
from .causes import DAMAGE, NOT_OF_EDITS, Cause

_SUBJECTS: Final = {"publish.late": "Edits are not live", "publish.mended": "Edits are live again"}
_OF_SERVICE: Final = {"publish.late": "Technical problem", "publish.mended": "Technical problem solved"}
_OF_DAMAGE: Final = {"publish.late": "Stored files are damaged", "publish.mended": "Stored files are repaired"}


class Message(NamedTuple):
    kind: str
    """``publish.late`` or ``publish.mended``."""
    at: datetime
    causes: Sequence[Cause]


class Receiver(Protocol):
    def send(self, message: Message) -> None:
        """Send the message. Raise DeliveryError."""
        ...


class WebhookReceiver:
    def __init__(self, url: str, secrets: Sequence[bytes], poster: Poster) -> None:
        self._url = url
        self._secrets = secrets
        self._poster = poster

    def send(self, message: Message) -> None:
        data = {
            "causes": [
                {"key": each.key, "what": each.what, "fix": each.fix, "since": each.since and each.since.isoformat()}
                for each in message.causes
            ]
        }
        # The same id for a repeated message, so that receivers can ignore duplicates.
        told = sha256(repr((message.kind, [(each.key, each.since) for each in message.causes])).encode()).hexdigest()[
            :32
        ]
        try:
            answer = post_signed(
                self._poster, self._url, self._secrets, f"alert_{told}", message.kind, data, message.at
            )
        except FetchError as error:
            raise Retryable(str(error)) from None
        if not 200 <= answer.status < 300:
            raise Retryable(f"The receiver answered {answer.status}.")


class MailReceiver:
    def __init__(self, to: Sequence[str], mailer: Mailer, site: str) -> None:
        """``site``: name of the installation."""
        self._to = to
        self._mailer = mailer
        self._site = site

    def send(self, message: Message) -> None:
        mail = EmailMessage()
        mail["Subject"] = f"{_subjects(message.causes)[message.kind]}: {self._site}"
        mail["From"] = self._mailer.sender
        mail["To"] = ", ".join(self._to)
        mail["Auto-Submitted"] = "auto-generated"
        mail.set_content("\n\n".join(map(self._say, message.causes)) + "\n")
        self._mailer.send(mail, self._to)

    def _say(self, cause: Cause) -> str:
        since = f"Since {stamp(cause.since)}. " if cause.since else ""
        return f"{cause.what}\n{since}{cause.fix}"


def _subjects(causes: Sequence[Cause]) -> Mapping[str, str]:
    """Return the subjects by kind of message."""
    if all(each.key == DAMAGE for each in causes):
        return _OF_DAMAGE
    is_more = any(each.key != DAMAGE and each.key.startswith(NOT_OF_EDITS) for each in causes)
    return _OF_SERVICE if is_more else _SUBJECTS


class UnusableReceiver:
    """Receiver that fails, because a setting in the environment is missing."""

    def __init__(self, reason: str) -> None:
        self._reason = reason

    def send(self, message: Message) -> None:
        raise Permanent(self._reason)
