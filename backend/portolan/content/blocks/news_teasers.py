"""News teasers: the newest articles, on a page about another topic."""

from collections.abc import Mapping
from typing import Any, Literal

from django.utils.translation import gettext_lazy as _
from wagtail import blocks

from ...schemas.article import NewsItem
from ...schemas.base import BlockData
from ...schemas.link import Link
from ..snapshot import TranslationKeys
from .base import LineBlock, LinkBlock, ParagraphBlock, SiteBlock


class NewsTeasersData(BlockData):
    type: Literal["news_teasers"] = "news_teasers"
    title: str
    text: str = ""
    articles: list[NewsItem]
    """The newest first. If it is empty, the block is hidden."""
    link: Link | None = None


class NewsTeasersBlock(SiteBlock):
    """The newest articles of the site. A published article shows here at once. An article never shows itself."""

    Data = NewsTeasersData
    EXAMPLES = {
        "default": {
            "title": "Latest from the log book",
            "text": "What we have learned lately, and what went wrong first.",
            "link": {"title": "All news", "page": 5},
        },
        "two": {"tone": "ink", "title": "Read on", "limit": 2},
    }

    title = LineBlock(max_length=120)
    text = ParagraphBlock(required=False, max_length=400)
    limit = blocks.IntegerBlock(default=3, min_value=1, max_value=6, label=_("At most"))
    link = LinkBlock(required=False, help_text=_("Link below the cards, e.g. to all news."))

    class Meta:
        icon = "doc-full-inverse"
        label = _("Newest articles")
        group = _("Teasers")

    def snapshot(self, raw: Mapping[str, Any], id: str, pages: TranslationKeys) -> dict[str, Any]:
        frozen = super().snapshot(raw, id, pages)
        limit = frozen.pop("limit")
        return {**frozen, "articles": {"$items": "news", "choose": ["others"], "first": limit}}
