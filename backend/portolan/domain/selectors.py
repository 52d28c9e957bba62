"""Select the items of a reference that does not mean all of its kind (``domain.references``: ``choose``)."""

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

from .projects import find_by_value, find_mapped, find_ranked, find_related

Item = dict[str, Any]


def select_items(
    selector: Sequence[str], items: Sequence[Item], placed: Callable[[], Sequence[Item]], page: str | None
) -> list[Item]:
    """Return the items that ``selector`` matches, in their order, without the own card of the page.

    ``placed``: the items that editors assigned to ``page``. ``page``: the translation key of the page that shows the
    items, or None. A card's ID is its page's key.
    """
    own = next((item for item in items if page and item.get("id") == page), None)
    match selector:
        case ["mapped"]:
            return find_mapped(items)
        case ["others"]:
            found: Sequence[Item] = items
        case ["placed"]:
            found = placed()
        case ["ranked"]:
            found = find_ranked(items)
        case ["related"]:
            found = find_related(own, items) if own else []
        case ["valued", facet, value]:
            found = find_by_value(items, facet, value)
        case _:
            raise ValueError(f"{list(selector)} is not a selector of domain.selectors.")
    return [item for item in found if item is not own]


def take_first(items: Sequence[Item], count: int | None, each: str | None) -> list[Item]:
    """Return the first ``count`` items; with ``each`` also the first ``count`` of every value of that field, in order.

    >>> people = [{"id": 1, "from": "gb"}, {"id": 2, "from": "gb"}, {"id": 3, "from": "ae"}, {"id": 4, "from": "gb"}]
    >>> [person["id"] for person in take_first(people, 1, "from")]
    [1, 3]
    """
    if count is None or each is None:
        return list(items[:count])
    seen: Counter[Any] = Counter()
    kept = []
    for index, item in enumerate(items):
        seen[item[each]] += 1
        if index < count or seen[item[each]] <= count:
            kept.append(item)
    return kept
