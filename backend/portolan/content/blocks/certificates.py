"""Certificates: what the company holds, by whom it was issued and until when it is valid."""

from collections.abc import Mapping
from typing import Any, Literal

from wagtail import blocks

from ...shapes.base import BlockData
from ...shapes.company import Certificate
from ..freeze import PageKeys
from .base import LineBlock, ParagraphBlock, SiteBlock


class CertificatesData(BlockData):
    type: Literal["certificates"] = "certificates"
    title: str
    text: str = ""
    certificates: list[Certificate]
    """In the editors' order. Where there is none, nothing of the block is shown."""


class CertificatesBlock(SiteBlock):
    """The certificates are kept under Company in the studio; a change there shows here on every site."""

    Data = CertificatesData
    EXAMPLES = {
        "default": {
            "anchor": "certificates",
            "title": "Audited by others",
            "text": "Each can be seen in full by whoever signs with us.",
        },
        "two": {"tone": "navy", "title": "The two that ports ask for", "limit": 2},
    }

    title = LineBlock(max_length=120)
    text = ParagraphBlock(required=False, max_length=400)
    limit = blocks.IntegerBlock(
        required=False, min_value=1, max_value=24, label="At most", help_text="Empty: all of them."
    )

    class Meta:
        icon = "clipboard-list"
        label = "Certificates"
        group = "Company"

    def freeze(self, raw: Mapping[str, Any], id: str, pages: PageKeys) -> dict[str, Any]:
        frozen = super().freeze(raw, id, pages)
        limit = frozen.pop("limit")
        return {**frozen, "certificates": {"$items": "certificate", "first": limit}}
