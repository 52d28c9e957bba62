"""Track the author of changes. Noted changes store the name, and so does their release."""

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Final

LONGEST_NAME: Final = 150
_author: ContextVar[Callable[[], str]] = ContextVar("author", default=lambda: "")


@contextmanager
def acting_as(name: str | Callable[[], str]) -> Iterator[None]:
    """Attribute changes noted in the block to ``name``.

    ``name`` may be a function. It is called only when a change is noted, because most requests change nothing.
    """
    token = _author.set(name if callable(name) else lambda: name)
    try:
        yield
    finally:
        _author.reset(token)


def current_author() -> str:
    """Return the current author; empty if unknown."""
    return _author.get()()[:LONGEST_NAME]


def name_authors(names: Iterable[str]) -> str:
    """Return ``Anna``, ``Anna, Boris`` or ``Anna and 2 others``, in order of their first change; empty without
    names."""
    known = list(dict.fromkeys(filter(None, names)))
    return f"{known[0]} and {len(known) - 1} others" if len(known) > 2 else ", ".join(known)
