"""Offices: all offices of the company, filtered by category."""

from collections.abc import Mapping
from typing import Any, Literal

from django.utils.translation import gettext_lazy as _

from ...schemas.base import BlockData
from ...schemas.office import Office
from ..snapshot import TranslationKeys
from .base import LineBlock, ParagraphBlock, SiteBlock


class OfficesData(BlockData):
    type: Literal["offices"] = "offices"
    title: str
    text: str = ""
    offices: list[Office]
    """Every office, in the company's order."""


class OfficesBlock(SiteBlock):
    """A list of all offices. Editors keep them under Offices in the studio. A change there shows on every site."""

    Data = OfficesData
    EXAMPLES = {
        "default": {
            "anchor": "offices",
            "title": "Our offices",
            "text": "{offices} offices, one crew. Come by: the coffee is on.",
        }
    }

    title = LineBlock(max_length=120)
    text = ParagraphBlock(required=False, max_length=400)

    class Meta:
        icon = "site"
        label = _("Offices")
        group = _("Company")

    def snapshot(self, raw: Mapping[str, Any], id: str, pages: TranslationKeys) -> dict[str, Any]:
        return {**super().snapshot(raw, id, pages), "offices": {"$items": "office"}}
