"""Office sets: which cards a site's footer shows (spec §2 Footer)."""

from collections.abc import Iterable
from typing import Final

from ..shapes.office import Office

OFFICE_SETS: Final = ("default", "us", "uk", "de", "ae", "az", "fr", "kz", "in", "cis")


def choose_offices(offices: Iterable[Office], office_sets: Iterable[str]) -> list[Office]:
    """Offices that belong to any of ``office_sets``, each once, in the given order."""
    wanted = set(office_sets)
    return [office for office in offices if wanted & set(office.sets)]
