"""Header kinds: transparent over the page's opening, or solid (spec §2 Routes)."""

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:  # a publish loads no schemas: it handles their JSON
    from ..schemas.page import HeaderKind

SOLID_TEMPLATES: Final = frozenset(
    {"service", "industry", "tech-stack", "contact", "about", "case-study", "blueprint", "legal", "error"}
)
"""Families of the specification's table of routes: their pages are solid wherever they stand, also one site's own."""

SOLID_SECTIONS: Final = frozenset(
    {"project-cases", "company", "blueprint", "services", "industries", "find-developers"}
)
"""Sections of the table: what stands in them is solid, whatever its family."""


def choose_header(path: str, template: str) -> "HeaderKind":
    """Transparent on the home page and on pages that the table of routes does not list, such as events.

    >>> choose_header("/company/insights", "listing"), choose_header("/events", "listing")
    ('solid', 'transparent')
    """
    if path == "/" or template == "home":
        return "transparent"
    section = path.split("/")[1]
    return "solid" if template in SOLID_TEMPLATES or section in SOLID_SECTIONS else "transparent"
