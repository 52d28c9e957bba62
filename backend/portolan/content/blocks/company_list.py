"""Define the base of blocks that show all or the first entries of one collection."""

from collections.abc import Mapping
from typing import Any, ClassVar

from django.utils.translation import gettext_lazy as _
from wagtail import blocks

from ..snapshot import TranslationKeys
from .base import LineBlock, ParagraphBlock, SiteBlock


class CompanyListBlock(SiteBlock):
    """A block whose entries editors keep under Company in the studio. A change there shows on every site."""

    title = LineBlock(max_length=120)
    text = ParagraphBlock(required=False, max_length=400)
    limit = blocks.IntegerBlock(
        required=False, min_value=1, max_value=24, label=_("At most"), help_text=_("Empty: all.")
    )

    ITEMS: ClassVar[str]
    """The entries' kind of item."""
    FIELD: ClassVar[str]
    """The schema's field that contains the entries."""

    def snapshot(self, raw: Mapping[str, Any], id: str, pages: TranslationKeys) -> dict[str, Any]:
        frozen = super().snapshot(raw, id, pages)
        limit = frozen.pop("limit")
        return {**frozen, self.FIELD: {"$items": self.ITEMS, "first": limit}}
