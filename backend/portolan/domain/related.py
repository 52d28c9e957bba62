"""Choose the projects related to a project (spec §7: content/projects/related)."""

from collections.abc import Callable, Collection, Iterable
from typing import TypeVar

_T = TypeVar("_T")


def choose_related(project: _T, projects: Iterable[_T], values_of: Callable[[_T], Collection[str]]) -> list[_T]:
    """Return other projects that share values with ``project``, most shared values first, else in the given order.

    >>> choose_related("ab", ["a", "xy", "ab", "bxa"], set)
    ['bxa', 'a']
    """
    own = set(values_of(project))
    shared = [(len(own.intersection(values_of(other))), other) for other in projects if other != project]
    return [other for count, other in sorted(shared, key=lambda pair: -pair[0]) if count]
