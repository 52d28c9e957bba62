"""Estimate teaser: monthly price range of each role, and a link to the estimate form."""

from collections.abc import Mapping
from typing import Any, Literal

from django.utils.translation import gettext_lazy as _
from wagtail import blocks

from ...schemas.base import BlockData
from ...schemas.company import RateCard
from ...schemas.link import Link
from ..collections.base import check_key
from ..items import RATE_CARD
from ..snapshot import TranslationKeys
from .base import LineBlock, LinkBlock, ParagraphBlock, SiteBlock


class EstimateTeaserData(BlockData):
    type: Literal["estimate_teaser"] = "estimate_teaser"
    title: str
    text: str = ""
    roles: list[str] = []
    """Keys of the roles to show, in this order; empty for all roles of the rate card."""
    link: Link
    rate_cards: list[RateCard] = []
    """The site's rate card, if it has one."""


class EstimateTeaserBlock(SiteBlock):
    """Prices of the site's rate card, in its currency. A change of the rate card shows here."""

    Data = EstimateTeaserData
    EXAMPLES = {
        "default": {
            "title": "What one person costs a month",
            "text": "From the first year in the trade to the one who leads a team.",
            "link": {"title": "Put a team together", "page": 1},
        },
        "one-role": {
            "tone": "navy",
            "title": "What testing costs",
            "roles": ["qa"],
            "link": {"title": "Estimate your project", "page": 1, "anchor": "estimate"},
        },
    }

    title = LineBlock(max_length=120)
    text = ParagraphBlock(required=False, max_length=400)
    roles = blocks.ListBlock(
        blocks.CharBlock(max_length=40, validators=(check_key,), label=_("Key of a role")),
        default=[],
        max_num=12,
        help_text=_("Keys of roles in the rate card, e.g. back-end. Empty: all roles."),
    )
    link = LinkBlock(help_text=_("Link to the page with the estimate form."))

    class Meta:
        icon = "table"
        label = _("Estimate teaser")
        group = _("Lists")

    def snapshot(self, raw: Mapping[str, Any], id: str, pages: TranslationKeys) -> dict[str, Any]:
        return {**super().snapshot(raw, id, pages), "rateCards": {"$items": RATE_CARD, "first": 1}}
