"""Interface of destinations: their input, and their exceptions."""

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from email.utils import parsedate_to_datetime
from pathlib import Path
from typing import Any, Final, NamedTuple, Protocol

from ..shared_files import SharedFile

SEND_S: Final = 15
"""Seconds for a destination to reply."""
LONGEST_REASON: Final = 300


class PayloadFile(NamedTuple):
    id: int
    name: str
    size: int
    sha256: str
    path: Path | SharedFile


class Payload:
    """A lead for a destination. Its ``repr`` shows no values, because they are personal data."""

    def __init__(
        self,
        id: str,
        site: str,
        form: str,
        created_at: datetime,
        fields: Mapping[str, Any],
        flags: Sequence[str],
        spam_score: int,
        captcha_status: str,
        files: Sequence[PayloadFile],
    ) -> None:
        self.id = id
        self.site = site
        self.form = form
        self.created_at = created_at
        self.fields = fields
        self.flags = flags
        self.spam_score = spam_score
        self.captcha_status = captcha_status
        self.files = files

    def __repr__(self) -> str:
        return f"Payload({self.id})"


class DeliveryError(Exception):
    """The lead was not delivered. The reason is logged and shown in the inbox, so it must not have personal data."""

    def __init__(self, reason: str) -> None:
        self.reason = reason[:LONGEST_REASON]
        super().__init__(self.reason)


class Retryable(DeliveryError):
    """The next try may succeed. ``retry_after_s``: the receiver's pause."""

    def __init__(self, reason: str, retry_after_s: float | None = None) -> None:
        self.retry_after_s = retry_after_s
        super().__init__(reason)


class Permanent(DeliveryError):
    """The receiver will never accept this lead as it is."""


class Closed(Permanent):
    """The receiver accepts no leads."""


class Destination(Protocol):
    @property
    def name(self) -> str: ...

    def send(self, payload: Payload, now: datetime) -> str:
        """Send the lead, and return a short text about the reply. Raise Retryable, Permanent or Closed."""
        ...


class Unusable:
    """Replaces a destination without its environment variable. Its deliveries wait until the variable is set."""

    def __init__(self, name: str, reason: str) -> None:
        self.name = name
        self.reason = reason

    def send(self, payload: Payload, now: datetime) -> str:
        raise Retryable(self.reason)


Clock = Callable[[], datetime]


def read_retry_after(value: str | None, now: datetime) -> float | None:
    """Return the seconds of a ``Retry-After`` with a number or a date, or None."""
    if value is None:
        return None
    if value.strip().isdecimal():
        return float(value.strip()[:9])
    try:
        return max((parsedate_to_datetime(value) - now).total_seconds(), 0)
    except (ValueError, TypeError):
        return None
