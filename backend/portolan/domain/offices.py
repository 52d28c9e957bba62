"""Choose the office cards of a site's footer (spec §2 Footer)."""

from collections.abc import Callable, Iterable, Sequence
from typing import Final, TypeVar

_Office = TypeVar("_Office")

OFFICE_SETS: Final = ("default", "us", "uk", "de", "ae", "az", "fr", "kz", "in", "cis")


def choose_offices(
    offices: Iterable[_Office], office_sets: Iterable[str], sets_of: Callable[[_Office], Sequence[str]]
) -> list[_Office]:
    """Return offices that belong to any of ``office_sets``, each once, in the given order."""
    wanted = set(office_sets)
    return [office for office in offices if not wanted.isdisjoint(sets_of(office))]
