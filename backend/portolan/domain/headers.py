"""Header kinds: transparent over the page's opening, or solid (spec §2 Routes)."""

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:  # a publish loads no shapes: it handles their JSON
    from ..shapes.page import HeaderKind

SOLID_TEMPLATES: Final = frozenset({"home", "service", "contact", "about", "case-study", "legal", "error"})
"""Templates of the specification's table of routes. A family that the table does not list is not here."""


def choose_header(path: str, template: str) -> "HeaderKind":
    """Transparent on the home page and on pages of families that the table of routes does not list."""
    return "transparent" if path == "/" or template not in SOLID_TEMPLATES else "solid"
