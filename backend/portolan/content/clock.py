"""The time that content is frozen at: now, or another one that somebody wants to see the sites at."""

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
    """In the block, what is frozen is as it would be then."""
    token = _elsewhen.set(time)
    try:
        yield
    finally:
        _elsewhen.reset(token)
