"""Offices (spec §7: content/offices, content/offices/{id})."""

from typing import Any

from django.http import HttpRequest
from ninja import Path, Router

from ...shapes.office import Office, OfficeList
from ..problems import ApiProblem
from ..release_content import read_content

router = Router(tags=["content"], by_alias=True)


@router.get("", response=OfficeList, operation_id="list_offices", summary="All offices, in the company's order")
def list_offices(request: HttpRequest) -> dict[str, Any]:
    return {"items": read_content(request).items("office")}


@router.get("/{id}", response=Office, operation_id="read_office", summary="One office")
def read_office(request: HttpRequest, id: Path[str]) -> Any:
    office = read_content(request).item("office", id)
    if office is None:
        raise ApiProblem(404, "unknown-office", f"There is no office {id!r}. content/offices lists those there are.")
    return office
