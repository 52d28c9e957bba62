"""What is asked for each row of a list is read once for a request that changes nothing."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, TypeVar

_Value = TypeVar("_Value")
_kept: ContextVar[dict[str, Any] | None] = ContextVar("read once", default=None)


@contextmanager
def read_once() -> Iterator[None]:
    """For the length of the block."""
    token = _kept.set({})
    try:
        yield
    finally:
        _kept.reset(token)


def once(name: str, read: Callable[[], _Value]) -> _Value:
    """What ``read`` gives, or gave in this block already; read anew each time outside of one."""
    kept = _kept.get()
    if kept is None:
        return read()
    if name not in kept:
        kept[name] = read()
    found: _Value = kept[name]
    return found
