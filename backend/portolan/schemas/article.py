"""Articles: news and blueprints, in one id space (spec §3 News item, §7)."""

from datetime import date as Date

from .base import Schema
from .link import Link
from .media import Picture


class NewsItem(Schema):
    id: str
    """The same on every site that has the article."""
    title: str
    summary: str
    preview_image: Picture
    date: Date
    link: Link


class NewsList(Schema):
    items: list[NewsItem]
    """The newest first."""


class NewsPagination(Schema):
    items: list[NewsItem]
    """The newest first."""
    page: int
    """From 1."""
    per_page: int
    total: int
    """Number of all articles."""
    pages: int
    """0 if there is no news."""


class Blueprint(Schema):
    id: str
    title: str
    summary: str
    cover: Picture
    date: Date
    link: Link


class ArticleViews(Schema):
    id: str
    """ID of a news article or blueprint."""
    views: int


class ArticleViewsList(Schema):
    items: list[ArticleViews]
    """Every article of every site, by ID, including unread ones."""
