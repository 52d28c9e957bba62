"""Facets by which projects are found."""

from typing import Annotated, Final, get_args

from ninja.params.models import Path
from pydantic import WithJsonSchema

from ...domain.projects import FACET_FIELDS
from ...schemas.project import FacetName
from ..problems import ProblemKind

UNKNOWN_FACET: Final = ProblemKind(
    404,
    "unknown-facet",
    "There is no such facet.",
    "There is no facet {facet!r}. Facets: industry, service, technology.",
    {"facet": "colour"},
)

FacetPath = Annotated[
    str,
    WithJsonSchema({"type": "string", "enum": list(get_args(FacetName))}),
    Path(..., description="Kind of the value. Others return 404.", example="industry"),
]


def expect_facet(facet: str) -> None:
    """Raise ApiProblem if there is no such facet."""
    if facet not in FACET_FIELDS:
        raise UNKNOWN_FACET.because(facet=facet)
