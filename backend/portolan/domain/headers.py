"""Choose the header kind: transparent over the top of the page, or solid (spec §2 Routes)."""

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:  # a publish loads no schemas: it handles their JSON
    from ..schemas.page import HeaderKind

SOLID_TEMPLATES: Final = frozenset(
    {"service", "industry", "tech-stack", "contact", "about", "case-study", "blueprint", "legal", "error"}
)
"""Page types in the specification's table of routes: their pages are solid at any URL, including one site's own pages.
"""

SOLID_SECTIONS: Final = frozenset(
    {"project-cases", "company", "blueprint", "services", "industries", "find-developers"}
)
"""Sections of the table: pages below them are solid, whatever their type."""


def choose_header(path: str, template: str) -> "HeaderKind":
    """Return "transparent" for the home page and for pages outside the table of routes, such as events.

    >>> choose_header("/company/insights", "listing"), choose_header("/events", "listing")
    ('solid', 'transparent')
    """
    if path == "/" or template == "home":
        return "transparent"
    section = path.split("/")[1]
    return "solid" if template in SOLID_TEMPLATES or section in SOLID_SECTIONS else "transparent"
