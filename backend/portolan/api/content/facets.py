"""Facets: what projects are found by."""

from collections.abc import Callable
from typing import Annotated, Any, Final, get_args

from ninja.params.models import Path
from pydantic import WithJsonSchema

from ...shapes.project import FacetName
from ..problems import ProblemKind

_FIELDS: Final = {"industry": "industries", "service": "services", "technology": "technologies"}
"""Fields of a project by the facet they hold."""

UNKNOWN_FACET: Final = ProblemKind(
    404,
    "unknown-facet",
    "There is no such facet.",
    "There is no facet {facet!r}. There are: industry, service, technology.",
    {"facet": "colour"},
)

FacetPath = Annotated[
    str,
    WithJsonSchema({"type": "string", "enum": list(get_args(FacetName))}),
    Path(..., description="What kind of value it is. Another one is refused with 404.", example="industry"),
]


def values_of_facet(facet: str) -> Callable[[dict[str, Any]], set[str]]:
    """A function from a project to the slugs it has of this facet. Raises ApiProblem where there is no such facet."""
    field = _FIELDS.get(facet)
    if field is None:
        raise UNKNOWN_FACET.because(facet=facet)
    return lambda project: {value["slug"] for value in project[field]}
