"""Who is editing. Changes that are noted during that time get this name as their author, and so does the release that
holds them."""

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Final

LONGEST_NAME: Final = 150
_author: ContextVar[Callable[[], str]] = ContextVar("author", default=lambda: "")


@contextmanager
def acting_as(name: str | Callable[[], str]) -> Iterator[None]:
    """Changes noted in the block have the author ``name``. It may be a function, called only when a change is noted:
    most requests change nothing."""
    token = _author.set(name if callable(name) else lambda: name)
    try:
        yield
    finally:
        _author.reset(token)


def current_author() -> str:
    """Who edits at the moment; empty where nobody is known to."""
    return _author.get()()[:LONGEST_NAME]


def name_authors(names: Iterable[str]) -> str:
    """``Anna``, ``Anna, Boris`` or ``Anna and 2 others``, in the order in which they began; empty for nobody."""
    known = list(dict.fromkeys(filter(None, names)))
    return f"{known[0]} and {len(known) - 1} others" if len(known) > 2 else ", ".join(known)
