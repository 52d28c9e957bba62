"""Reviews: what clients say (spec §7: content/reviews)."""

from .base import Schema
from .media import Picture


class Review(Schema):
    id: str
    """Stable key, e.g. ``northwind-vts``."""
    person: str
    """Who speaks; a function where no name may be given."""
    role: str
    company: str
    country: str
    """The company's: ISO 3166-1 alpha-2, lower case."""
    score: float
    """1..5, in halves."""
    text: str
    logo: Picture | None
    """The company's mark."""


class ReviewList(Schema):
    items: list[Review]
    """Those of the visitor's country first; the editors' order in each."""


class TestimonialPagination(Schema):
    items: list[Review]
    """Up to six. Those of ``countryCode`` first; the editors' order in each."""
    total: int
    more: int | None
    """The next value of ``more``; none after the last."""
