"""Articles: news and blueprints, in one id space (spec §3 News item, §7)."""

from datetime import date as Date

from .base import Shape
from .link import Link
from .media import Picture


class NewsItem(Shape):
    id: str
    """The same on every site that has the article."""
    title: str
    summary: str
    preview_image: Picture
    date: Date
    link: Link


class NewsList(Shape):
    items: list[NewsItem]
    """The newest first."""


class NewsPagination(Shape):
    items: list[NewsItem]
    """The newest first."""
    page: int
    """From 1."""
    per_page: int
    total: int
    """Of all pages together."""
    pages: int
    """0 where there is no news."""


class Blueprint(Shape):
    id: str
    title: str
    summary: str
    cover: Picture
    date: Date
    link: Link


class ArticleViews(Shape):
    id: str
    """Id of a news article or blueprint."""
    views: int


class ArticleViewsList(Shape):
    items: list[ArticleViews]
    """Of every article of every site, by id, those never read too."""
