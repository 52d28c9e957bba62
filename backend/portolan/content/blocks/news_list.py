"""News list: the newest articles as cards, and plain links to all articles."""

from collections.abc import Mapping
from typing import Any, Literal

from django.utils.translation import gettext_lazy as _

from ...domain.pagination import NEWS_PER_PAGE
from ...schemas.article import NewsItem
from ...schemas.base import BlockData
from ...schemas.link import Link
from ..snapshot import TranslationKeys
from .base import LineBlock, ParagraphBlock, SiteBlock


class NewsListData(BlockData):
    type: Literal["news_list"] = "news_list"
    title: str
    text: str = ""
    articles: list[NewsItem]
    """The first page of ``content/news/pagination``. The browser requests further pages."""
    archive: list[Link]
    """Links to all articles, the newest first, for visitors without scripts and for the number of articles."""


class NewsListBlock(SiteBlock):
    """A list of the site's news. A published article shows here at once."""

    Data = NewsListData
    EXAMPLES = {
        "default": {
            "anchor": "news",
            "title": "From the log book",
            "text": "What we have learned lately, and what went wrong first.",
        }
    }

    title = LineBlock(max_length=120)
    text = ParagraphBlock(required=False, max_length=400)

    class Meta:
        icon = "doc-full-inverse"
        label = _("News")
        group = _("Lists")

    def snapshot(self, raw: Mapping[str, Any], id: str, pages: TranslationKeys) -> dict[str, Any]:
        return {
            **super().snapshot(raw, id, pages),
            "articles": {"$items": "news", "first": NEWS_PER_PAGE},
            "archive": {"$items": "news", "pick": "link"},
        }
