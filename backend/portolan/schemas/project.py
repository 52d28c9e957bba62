"""Projects, told in case studies (spec §7: content/projects/…, content/filter/…).

One frozen item of kind ``project`` has everything; the API's lists are cuts of it.
"""

from typing import Literal

from .base import Schema
from .link import Link
from .media import Picture

FacetName = Literal["industry", "service", "technology"]


class FacetValue(Schema):
    """One value a project can be found by, e.g. the industry ``healthcare``."""

    facet: FacetName
    slug: str
    name: str
    """In the language of the site."""


class ProjectResult(Schema):
    value: str
    """Ready to print, e.g. ``26 min``."""
    caption: str


class ProjectCard(Schema):
    id: str
    """The same on every site that has the case study."""
    slug: str
    """Last part of its address."""
    title: str
    summary: str
    client: str
    country: str
    """The client's: ISO 3166-1 alpha-2, lower case."""
    cover: Picture
    link: Link
    industries: list[FacetValue]
    services: list[FacetValue]
    technologies: list[FacetValue]


class FullProjectCard(ProjectCard):
    results: list[ProjectResult]


class Project(FullProjectCard):
    """What a release freezes of a case study beside its page."""

    lat: float | None
    """Of the place on the map; none where it is not shown there."""
    lng: float | None
    gallery: list[Picture]
    rank: int | None
    """Place in the editors' ranking, 1 first; none for a case study that is not in it."""


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
