"""Certificates of the company, with issuer and validity."""

from typing import Literal

from django.utils.translation import gettext_lazy as _

from ...schemas.base import BlockData
from ...schemas.company import Certificate
from .company_list import CompanyListBlock


class CertificatesData(BlockData):
    type: Literal["certificates"] = "certificates"
    title: str
    text: str = ""
    certificates: list[Certificate]
    """In the editors' order. If it is empty, the block is hidden."""


class CertificatesBlock(CompanyListBlock):
    Data = CertificatesData
    EXAMPLES = {
        "default": {
            "anchor": "certificates",
            "title": "Audited by others",
            "text": "Each can be seen in full by whoever signs with us.",
        },
        "two": {"tone": "navy", "title": "The two that ports ask for", "limit": 2},
    }

    ITEMS = "certificate"
    FIELD = "certificates"

    class Meta:
        icon = "clipboard-list"
        label = _("Certificates")
        group = _("Company")
