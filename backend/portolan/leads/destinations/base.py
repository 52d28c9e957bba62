"""What every destination has in common: its input, and the exceptions by which it reports failure."""

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from email.utils import parsedate_to_datetime
from pathlib import Path
from typing import Any, Final, NamedTuple, Protocol

from ..shared_files import SharedFile

SEND_S: Final = 15
"""How long a destination may take to answer."""
LONGEST_REASON: Final = 300


class PayloadFile(NamedTuple):
    id: int
    name: str
    size: int
    sha256: str
    path: Path | SharedFile


class Payload:
    """One lead to send. Its ``repr`` shows no values, because they are personal data."""

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
    """The lead was not delivered. The reason is shown in the inbox and logged, so it must contain no personal data."""

    def __init__(self, reason: str) -> None:
        self.reason = reason[:LONGEST_REASON]
        super().__init__(self.reason)


class Retryable(DeliveryError):
    """The next try may succeed. ``retry_after_s``: how long the receiver wants to be left alone."""

    def __init__(self, reason: str, retry_after_s: float | None = None) -> None:
        self.retry_after_s = retry_after_s
        super().__init__(reason)


class Permanent(DeliveryError):
    """This lead will never be taken there as it is."""


class Closed(Permanent):
    """Nothing will be taken there any more."""


class Destination(Protocol):
    @property
    def name(self) -> str: ...

    def send(self, payload: Payload, now: datetime) -> str:
        """Send the lead, and return a short text of the answer. Raises Retryable, Permanent or Closed."""
        ...


class Unusable:
    """Replaces a destination that lacks a setting of the environment. Its deliveries wait, because the setting may be
    added."""

    def __init__(self, name: str, reason: str) -> None:
        self.name = name
        self.reason = reason

    def send(self, payload: Payload, now: datetime) -> str:
        raise Retryable(self.reason)


Clock = Callable[[], datetime]


def read_retry_after(value: str | None, now: datetime) -> float | None:
    """Seconds of a ``Retry-After``, which gives them or a date; None where it is neither."""
    if value is None:
        return None
    if value.strip().isdecimal():
        return float(value.strip()[:9])
    try:
        return max((parsedate_to_datetime(value) - now).total_seconds(), 0)
    except (ValueError, TypeError):
        return None
