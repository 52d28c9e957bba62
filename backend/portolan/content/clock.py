"""Define the time for which content is exported: now, or another time for a preview."""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import datetime
from typing import Final

from django.utils import timezone

_elsewhen: Final[ContextVar[datetime | None]] = ContextVar("the time that is looked at", default=None)


def now() -> datetime:
    return _elsewhen.get() or timezone.now()


@contextmanager
def looking_at(time: datetime) -> Iterator[None]:
    """Inside, content is exported as it would be at ``time``."""
    token = _elsewhen.set(time)
    try:
        yield
    finally:
        _elsewhen.reset(token)
