"""Phones by country (spec §7: content/phones)."""

from typing import Any, Final

from django.http import HttpRequest
from ninja import Router

from ...schemas.company import Phone, PhoneList
from ..operations import describe
from ..release_content import read_content

router = Router(tags=["Phones"], by_alias=True)

_EXAMPLE: Final = PhoneList(
    items=[
        Phone(id="international", phone="+1 214-555-0140", is_default=True, countries=["us"]),
        Phone(id="london", phone="+44 20 7946 0018", is_default=False, countries=["gb", "ie"]),
    ]
)


@router.get("", **describe("list_phones", "Phone numbers by country", _EXAMPLE))
def list_phones(request: HttpRequest) -> dict[str, Any]:
    """In the editors' order, the same on every site. Visitors of a country see its number, others the default one."""
    return {"items": read_content(request).items("phone")}
