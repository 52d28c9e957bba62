"""Cut lists into pages (decisions: Content API). The only place that defines page sizes."""

from collections.abc import Sequence
from typing import Final, Generic, NamedTuple, TypeVar

_T = TypeVar("_T")

NEWS_PER_PAGE: Final = 9
MOST_NEWS_PER_PAGE: Final = 50
TESTIMONIALS_PER_PAGE: Final = 6


class Cut(NamedTuple, Generic[_T]):
    """One numbered page of a list."""

    items: list[_T]
    total: int
    pages: int
    """0 if the list is empty."""


class MoreOf(NamedTuple, Generic[_T]):
    """The next items of a list that is partly shown."""

    items: list[_T]
    total: int
    more: int | None
    """Number of items shown with these; None if the list is then complete."""


def cut_page(items: Sequence[_T], page: int, per_page: int) -> Cut[_T] | None:
    """Return page number ``page`` (from 1), or None if the list has fewer pages. An empty list has one empty page.

    >>> cut_page("abcde", 2, 2)
    Cut(items=['c', 'd'], total=5, pages=3)
    >>> cut_page("abcde", 4, 2) is None
    True
    """
    pages = -(-len(items) // per_page)
    if page > max(pages, 1):
        return None
    start = (page - 1) * per_page
    return Cut(list(items[start : start + per_page]), len(items), pages)


def take_more(items: Sequence[_T], shown: int, size: int) -> MoreOf[_T]:
    """Return the ``size`` items after the first ``shown``; none past the end.

    >>> take_more("abcde", 2, 2)
    MoreOf(items=['c', 'd'], total=5, more=4)
    >>> take_more("abcde", 4, 2)
    MoreOf(items=['e'], total=5, more=None)
    """
    end = min(shown + size, len(items))
    return MoreOf(list(items[shown:end]), len(items), end if end < len(items) else None)
