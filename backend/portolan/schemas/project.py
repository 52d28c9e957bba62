"""Define projects, which case studies describe (spec §7: content/projects/…, content/filter/…).

One item of kind ``project`` has all fields; the API's lists contain parts of it.
"""

from typing import Literal

from .base import Schema
from .link import Link
from .media import Picture

FacetName = Literal["industry", "service", "technology"]


class FacetValue(Schema):
    """A value that finds projects, e.g. the industry ``healthcare``."""

    facet: FacetName
    slug: str
    name: str
    """In the language of the site."""


class ProjectResult(Schema):
    value: str
    """Formatted number, e.g. ``26 min``."""
    caption: str


class ProjectCard(Schema):
    id: str
    """The same on every site that has the case study."""
    slug: str
    """Last part of its URL."""
    title: str
    summary: str
    client: str
    country: str
    """The client's country: ISO 3166-1 alpha-2, lower case."""
    cover: Picture
    link: Link
    industries: list[FacetValue]
    services: list[FacetValue]
    technologies: list[FacetValue]


class FullProjectCard(ProjectCard):
    results: list[ProjectResult]


class Project(FullProjectCard):
    """The item that a release stores for a case study in addition to its page."""

    lat: float | None
    """Position on the map; None if it is not on the map."""
    lng: float | None
    gallery: list[Picture]
    rank: int | None
    """Position in the editors' ranking, 1 first; None if it is not ranked."""


class ProjectPlace(Schema):
    id: str
    title: str
    lat: float
    lng: float
    country: str


class ProjectGallery(Schema):
    id: str
    title: str
    pictures: list[Picture]


class ProjectCardList(Schema):
    items: list[ProjectCard]


class FullProjectCardList(Schema):
    items: list[FullProjectCard]


class ProjectPlaceList(Schema):
    items: list[ProjectPlace]


class ProjectGalleryList(Schema):
    items: list[ProjectGallery]


class FacetValueList(Schema):
    items: list[FacetValue]
