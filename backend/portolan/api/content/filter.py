"""Projects by one facet value (spec §7: content/filter/{facet}/{value})."""

from typing import Annotated, Any, Final

from django.http import HttpRequest
from ninja import Router
from ninja.params.models import Path

from ...domain.projects import find_by_value
from ..operations import describe
from ..problems import ProblemKind
from ..release_content import read_content
from .facets import UNKNOWN_FACET, FacetPath, expect_facet
from .projects import CARDS, cut_card

router = Router(tags=["Projects"], by_alias=True)

UNKNOWN_FACET_VALUE: Final = ProblemKind(
    404,
    "unknown-facet-value",
    "The site has no such value of this facet.",
    "The site has no {facet} {value!r}.",
    {"facet": "industry", "value": "alchemy"},
)

Value = Annotated[str, Path(..., description="Slug of the value, as project cards have it.", example="healthcare")]


@router.get(
    "/{facet}/{value}",
    **describe("list_filtered_projects", "Projects by one facet value", CARDS, UNKNOWN_FACET, UNKNOWN_FACET_VALUE),
)
def list_filtered_projects(request: HttpRequest, facet: FacetPath, value: Value) -> dict[str, Any]:
    """Cards of projects with this value, in the order of full-cards. A known value without projects returns an empty
    list.
    """
    expect_facet(facet)
    content = read_content(request)
    if not any(known["facet"] == facet and known["slug"] == value for known in content.items("facet")):
        raise UNKNOWN_FACET_VALUE.because(facet=facet, value=value)
    return {"items": [cut_card(project) for project in find_by_value(content.items("project"), facet, value)]}
