"""CVs of specialists for hire (spec §7: content/cvs)."""

from typing import Any, Final

from django.http import HttpRequest
from ninja import Router

from ...schemas.company import Cv, CvList
from ..operations import describe
from ..release_content import read_content

router = Router(tags=["CVs"], by_alias=True)

_EXAMPLE: Final = Cv(
    id="python-lead-pl",
    role="Python engineer",
    seniority="lead",
    years=11,
    country="pl",
    summary="Builds data platforms for logistics, from the first sketch to the night shift.",
    skills=["Python", "PostgreSQL", "Kafka"],
    languages=["English (C1)", "Polish (native)"],
    picture=None,
)


@router.get("", **describe("list_cvs", "CVs of specialists", CvList(items=[_EXAMPLE])))
def list_cvs(request: HttpRequest) -> dict[str, Any]:
    """In the editors' order. A CV has a role and no name."""
    return {"items": read_content(request).items("cv")}
