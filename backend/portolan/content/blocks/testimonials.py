"""Testimonials: client reviews, the first few at once and more on demand."""

from collections.abc import Mapping
from typing import Any, Literal

from django.utils.translation import gettext_lazy as _
from wagtail import blocks

from ...domain.pagination import TESTIMONIALS_PER_PAGE
from ...schemas.base import BlockData
from ...schemas.review import Review
from ..snapshot import TranslationKeys
from .base import LineBlock, ParagraphBlock, SiteBlock


class TestimonialsData(BlockData):
    type: Literal["testimonials"] = "testimonials"
    title: str
    text: str = ""
    reviews: list[Review]
    """The first six of all reviews and the first six of each country, in the editors' order.

    A visitor's first six are among them. The browser requests more from ``content/reviews/testimonial/pagination``. If
    it is empty, the block is hidden.
    """
    total: int
    """Number of all reviews of the site; 0 if there are no more to request."""


class TestimonialsBlock(SiteBlock):
    """Client reviews. Editors keep them under Reviews in the studio. A change there shows on every site."""

    Data = TestimonialsData
    EXAMPLES = {
        "default": {
            "anchor": "testimonials",
            "title": "What clients say",
            "text": "In their own words, which we have not polished.",
        },
        "placed": {"tone": "navy", "title": "Heard on this quay", "source": "placed"},
    }

    title = LineBlock(max_length=120)
    text = ParagraphBlock(required=False, max_length=400)
    source = blocks.ChoiceBlock(
        choices=[("all", _("All, six at a time")), ("placed", _("Assigned to this page, at most six"))],
        default="all",
        label=_("Selection"),
    )

    class Meta:
        icon = "openquote"
        label = _("Testimonials")
        group = _("Lists")

    def snapshot(self, raw: Mapping[str, Any], id: str, pages: TranslationKeys) -> dict[str, Any]:
        frozen = super().snapshot(raw, id, pages)
        first = {"$items": "review", "first": TESTIMONIALS_PER_PAGE, "each": "country"}
        if frozen.pop("source") == "placed":
            return {**frozen, "reviews": {**first, "choose": ["placed"]}, "total": 0}
        return {**frozen, "reviews": first, "total": {"$count": "review"}}
