"""Put items of the visitor's country first (decisions: Content API)."""

from collections.abc import Callable, Iterable
from typing import TypeVar

from .country_groups import find_neighbours

_T = TypeVar("_T")


def order_by_country(items: Iterable[_T], country: str | None, country_of: Callable[[_T], str]) -> list[_T]:
    """Return items of ``country``, then of countries in its groups, then the rest; each keeps the given order.

    >>> order_by_country(["us", "eg", "ae", "de"], "ae", str)
    ['ae', 'eg', 'us', 'de']
    >>> order_by_country(["us", "ae"], None, str)
    ['us', 'ae']
    """
    if country is None:
        return list(items)
    near = find_neighbours(country)

    def rank(item: _T) -> int:
        code = country_of(item)
        return 0 if code == country else 1 if code in near else 2

    return sorted(items, key=rank)


def put_country_first(items: Iterable[_T], country: str | None, country_of: Callable[[_T], str]) -> list[_T]:
    """Return items of ``country`` first, then all others; each keeps the given order.

    >>> put_country_first(["us", "eg", "ae"], "ae", str)
    ['ae', 'us', 'eg']
    """
    return sorted(items, key=lambda item: country_of(item) != country)
