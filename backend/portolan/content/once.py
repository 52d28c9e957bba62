"""Cache values that each row of a list needs, during a request that changes nothing."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, TypeVar

_Value = TypeVar("_Value")
_kept: ContextVar[dict[str, Any] | None] = ContextVar("read once", default=None)


@contextmanager
def read_once() -> Iterator[None]:
    """Cache the values of ``once`` inside the block."""
    token = _kept.set({})
    try:
        yield
    finally:
        _kept.reset(token)


def once(name: str, read: Callable[[], _Value]) -> _Value:
    """Return the value of ``read``, cached inside ``read_once`` and read each time outside."""
    kept = _kept.get()
    if kept is None:
        return read()
    if name not in kept:
        kept[name] = read()
    found: _Value = kept[name]
    return found
