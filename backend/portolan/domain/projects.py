"""Select case studies by the rules of the content API (spec §7) and of blocks.

A project is a stored or a resolved value. The fields read here are the same in both.
"""

from collections.abc import Iterable
from typing import Any, Final

Project = dict[str, Any]

FACET_FIELDS: Final = {"industry": "industries", "service": "services", "technology": "technologies"}
"""Fields of a project by facet, the most specific first."""


def values_of(project: Project, facet: str) -> set[str]:
    """Return the slugs of a project's values of one facet."""
    return {value["slug"] for value in project[FACET_FIELDS[facet]]}


def find_ranked(projects: Iterable[Project]) -> list[Project]:
    """Return the projects that editors have ranked."""
    return [project for project in projects if project["rank"] is not None]


def find_mapped(projects: Iterable[Project]) -> list[Project]:
    """Return the projects with a position on the map."""
    return [project for project in projects if project["lat"] is not None and project["lng"] is not None]


def find_by_value(projects: Iterable[Project], facet: str, value: str) -> list[Project]:
    """Return the projects with one value of a facet."""
    return [project for project in projects if value in values_of(project, facet)]


def find_related(project: Project, projects: Iterable[Project]) -> list[Project]:
    """Return other projects that share a value of any facet with ``project``.

    Sorted by the number of shared industries, then services, then technologies, else in the given order.
    """
    own = {facet: values_of(project, facet) for facet in FACET_FIELDS}
    shared = [
        ([len(values & values_of(other, facet)) for facet, values in own.items()], other)
        for other in projects
        if other != project
    ]
    return [other for counts, other in sorted(shared, key=lambda pair: pair[0], reverse=True) if any(counts)]
