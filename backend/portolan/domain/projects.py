"""Which case studies are meant: the rules of the content API (spec §7) and of the blocks that show some of them.

A project is its frozen or its resolved value: what is looked at here is the same in both.
"""

from collections.abc import Iterable
from typing import Any, Final

from .related import choose_related

Project = dict[str, Any]

FACET_FIELDS: Final = {"industry": "industries", "service": "services", "technology": "technologies"}
"""Fields of a project by the facet they hold."""


def values_of(project: Project, facet: str) -> set[str]:
    """Slugs of the values a project has of one facet."""
    return {value["slug"] for value in project[FACET_FIELDS[facet]]}


def find_ranked(projects: Iterable[Project]) -> list[Project]:
    """Those in the editors' ranking."""
    return [project for project in projects if project["rank"] is not None]


def find_mapped(projects: Iterable[Project]) -> list[Project]:
    """Those with a place on the map."""
    return [project for project in projects if project["lat"] is not None and project["lng"] is not None]


def find_by_value(projects: Iterable[Project], facet: str, value: str) -> list[Project]:
    """Those that have one value of a facet."""
    return [project for project in projects if value in values_of(project, facet)]


def find_related(project: Project, projects: Iterable[Project]) -> list[Project]:
    """Others that share a value of any facet with ``project``, those that share most first."""
    return choose_related(project, projects, _all_values)


def _all_values(project: Project) -> set[tuple[str, str]]:
    return {(facet, slug) for facet in FACET_FIELDS for slug in values_of(project, facet)}
