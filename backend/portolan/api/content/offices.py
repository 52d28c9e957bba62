"""Offices (spec §7: content/offices, content/offices/{id})."""

from typing import Annotated, Any, Final

from django.http import HttpRequest
from ninja import Router

from ...schemas.office import Office, OfficeCategory, OfficeList
from ..operations import describe
from ..parameters import id_path
from ..problems import ProblemKind
from ..release_content import read_content

router = Router(tags=["Offices"], by_alias=True)

_EXAMPLE: Final = Office(
    id="dallas",
    city="Dallas",
    address="2100 Harbor Street, Dallas, TX 75201",
    phone="+1 214-555-0140",
    category=OfficeCategory(name="Headquarters", icon="landmark"),
    country="us",
    lat=32.7876,
    lng=-96.7994,
    sets=["default", "us"],
)
_LINKS: Final = {"read_office": {"id": "/items/0/id"}}
UNKNOWN_OFFICE: Final = ProblemKind(
    404,
    "unknown-office",
    "There is no office of this id.",
    "There is no office {id!r}. For all offices, see content/offices.",
    {"id": "atlantis"},
)


@router.get("", **describe("list_offices", "All offices", OfficeList(items=[_EXAMPLE]), links=_LINKS))
def list_offices(request: HttpRequest) -> dict[str, Any]:
    """In the company's order. `sets` has the sites whose footers show the card."""
    return {"items": read_content(request).items("office")}


@router.get("/{id}", **describe("read_office", "One office", _EXAMPLE, UNKNOWN_OFFICE))
def read_office(request: HttpRequest, id: Annotated[str, id_path("an office", "dallas")]) -> Any:
    """By the id in the list."""
    office = read_content(request).entry("office", id)
    if office is None:
        raise UNKNOWN_OFFICE.because(id=id)
    return office.value
