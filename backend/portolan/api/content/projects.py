"""Projects with their case studies (spec §7: content/projects/…)."""

from typing import Annotated, Any, Final

from django.http import HttpRequest
from ninja import Router
from ninja.params.models import Path

from ...domain.projects import find_mapped, find_ranked, values_of
from ...domain.related import choose_related
from ...schemas.navigation import PageReference, PageReferenceList
from ...schemas.project import (
    FacetValue,
    FullProjectCard,
    FullProjectCardList,
    ProjectCard,
    ProjectCardList,
    ProjectGallery,
    ProjectGalleryList,
    ProjectPlace,
    ProjectPlaceList,
    ProjectResult,
)
from ..examples import PICTURE, PROJECT_ID, link
from ..operations import describe
from ..parameters import PageKeyHeader
from ..problems import ProblemKind
from ..release_content import read_content
from .facets import UNKNOWN_FACET, FacetPath, expect_facet
from .page_references import list_pages
from .placement import MOVED_PAGE_KEY, UNKNOWN_PAGE_KEY, entries_on_page

router = Router(tags=["Projects"], by_alias=True)

_SLUG: Final = "lumen-clinic-network"
_PATH: Final = f"/project-cases/{_SLUG}"
_FULL: Final = FullProjectCard(
    id=PROJECT_ID,
    slug=_SLUG,
    title="Doctors with time to talk",
    summary="One record for forty clinics, filled in while the patient is still in the room.",
    client="Lumen Clinic Network",
    country="gb",
    cover=PICTURE,
    link=link("Doctors with time to talk", _PATH),
    industries=[FacetValue(facet="industry", slug="healthcare", name="Healthcare")],
    services=[FacetValue(facet="service", slug="web-development", name="Web development")],
    technologies=[FacetValue(facet="technology", slug="python", name="Python")],
    results=[ProjectResult(value="26 min", caption="saved for every doctor, every day")],
)
CARD: Final = ProjectCard(**{name: getattr(_FULL, name) for name in ProjectCard.model_fields})
CARDS: Final = ProjectCardList(items=[CARD])
_PLACE: Final = ProjectPlace(id=PROJECT_ID, title=_FULL.title, lat=51.5, lng=-0.1, country="gb")
_GALLERY: Final = ProjectGallery(id=PROJECT_ID, title=_FULL.title, pictures=[PICTURE])
_PAGES: Final = PageReferenceList(items=[PageReference(key=_PATH[1:], path=_PATH)])
_LINKS: Final = {
    "list_related_projects": {"facet": "service", "slug": "/items/0/slug"},
    "list_filtered_projects": {"facet": "service", "value": "/items/0/services/0/slug"},
}
_LINKS_OF_PAGES: Final = {
    "list_project_cards": {"Page-Key": "/items/0/key"},
    "list_reviews": {"Page-Key": "/items/0/key"},
}
UNKNOWN_PROJECT: Final = ProblemKind(
    404,
    "unknown-project",
    "The site has no case study of this slug.",
    "The site has no case study {slug!r}. For all case studies, see content/projects/pages.",
    {"slug": "none"},
)

Slug = Annotated[str, Path(..., description="Last part of the case study's URL.", example=_SLUG)]


@router.get(
    "/cards",
    **describe("list_project_cards", "Cards of the projects placed on a page", CARDS, UNKNOWN_PAGE_KEY, MOVED_PAGE_KEY),
)
def list_project_cards(request: HttpRequest, page_key: PageKeyHeader) -> dict[str, Any]:
    """Projects that editors placed on the page `Page-Key`: ranked ones first by rank, then by id."""
    placed = entries_on_page(read_content(request), "project", page_key)
    return {"items": [cut_card(entry.value) for entry in placed]}


@router.get(
    "/full-cards",
    **describe(
        "list_full_project_cards", "All projects with results", FullProjectCardList(items=[_FULL]), links=_LINKS
    ),
)
def list_full_project_cards(request: HttpRequest) -> dict[str, Any]:
    """Every case study of the site: ranked ones first by rank, then by id."""
    return {"items": [_cut(project, FullProjectCard) for project in _projects(request)]}


@router.get(
    "/galleries", **describe("list_project_galleries", "Images of projects", ProjectGalleryList(items=[_GALLERY]))
)
def list_project_galleries(request: HttpRequest) -> dict[str, Any]:
    """Projects with images, in the order of full-cards. Images are in the editors' order."""
    items = [
        {"id": project["id"], "title": project["title"], "pictures": project["gallery"]}
        for project in _projects(request)
        if project["gallery"]
    ]
    return {"items": items}


@router.get("/map", **describe("list_project_places", "Projects on the map", ProjectPlaceList(items=[_PLACE])))
def list_project_places(request: HttpRequest) -> dict[str, Any]:
    """Projects with a place on the map, in the order of full-cards."""
    return {"items": [_cut(project, ProjectPlace) for project in find_mapped(_projects(request))]}


@router.get("/pages", **describe("list_project_pages", "Pages of case studies", _PAGES, links=_LINKS_OF_PAGES))
def list_project_pages(request: HttpRequest) -> PageReferenceList:
    """Page key and path of each case study's page on the site, by path."""
    return list_pages(read_content(request), "project")


@router.get("/top", **describe("list_top_projects", "The editors' ranking", CARDS, links=_LINKS))
def list_top_projects(request: HttpRequest) -> dict[str, Any]:
    """Projects that editors ranked, the first one first."""
    return {"items": [cut_card(project) for project in find_ranked(_projects(request))]}


@router.get(
    "/related/{facet}/{slug}",
    **describe("list_related_projects", "Projects related to one", CARDS, UNKNOWN_FACET, UNKNOWN_PROJECT),
)
def list_related_projects(request: HttpRequest, facet: FacetPath, slug: Slug) -> dict[str, Any]:
    """Other projects that share a value of `facet` with the case study `slug`: most shared values first, then in the
    order of full-cards.
    """
    expect_facet(facet)
    projects = _projects(request)
    project = next((project for project in projects if project["slug"] == slug), None)
    if project is None:
        raise UNKNOWN_PROJECT.because(slug=slug)
    return {
        "items": [cut_card(other) for other in choose_related(project, projects, lambda one: values_of(one, facet))]
    }


def cut_card(project: dict[str, Any]) -> dict[str, Any]:
    """Return the card of a project."""
    return _cut(project, ProjectCard)


def _projects(request: HttpRequest) -> list[dict[str, Any]]:
    return read_content(request).items("project")


def _cut(project: dict[str, Any], schema: type[ProjectCard] | type[ProjectPlace]) -> dict[str, Any]:
    """Return the fields of a project that a schema has."""
    return {name: project[name] for name in (field.alias or "" for field in schema.model_fields.values())}
