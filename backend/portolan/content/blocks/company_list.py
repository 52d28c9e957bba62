"""What blocks have in common that show entries of one collection, all of them or the first few."""

from collections.abc import Mapping
from typing import Any, ClassVar

from django.utils.translation import gettext_lazy as _
from wagtail import blocks

from ..freeze import TranslationKeys
from .base import LineBlock, ParagraphBlock, SiteBlock


class CompanyListBlock(SiteBlock):
    """The entries are kept under Company in the studio; a change there shows here on every site."""

    title = LineBlock(max_length=120)
    text = ParagraphBlock(required=False, max_length=400)
    limit = blocks.IntegerBlock(
        required=False, min_value=1, max_value=24, label=_("At most"), help_text=_("Empty: all of them.")
    )

    ITEMS: ClassVar[str]
    """The entries' kind of item."""
    FIELD: ClassVar[str]
    """The schema's field that holds them."""

    def freeze(self, raw: Mapping[str, Any], id: str, pages: TranslationKeys) -> dict[str, Any]:
        frozen = super().freeze(raw, id, pages)
        limit = frozen.pop("limit")
        return {**frozen, self.FIELD: {"$items": self.ITEMS, "first": limit}}
