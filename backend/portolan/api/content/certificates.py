"""Certificates (spec §7: content/certificates)."""

from datetime import date
from typing import Any, Final

from django.http import HttpRequest
from ninja import Router

from ...schemas.company import Certificate, CertificateList
from ..examples import DRAWING
from ..operations import describe
from ..release_content import read_content

router = Router(tags=["Certificates"], by_alias=True)

_EXAMPLE: Final = Certificate(
    id="iso-27001",
    title="Information security management",
    issuer="Example Register",
    issued=date(2024, 5, 1),
    expires=date(2027, 4, 30),
    number="IS-204771",
    picture=DRAWING,
)


@router.get("", **describe("list_certificates", "All certificates", CertificateList(items=[_EXAMPLE])))
def list_certificates(request: HttpRequest) -> dict[str, Any]:
    """In the editors' order. Expired certificates stay until an editor removes them."""
    return {"items": read_content(request).items("certificate")}
