"""Define reviews by clients (spec §7: content/reviews)."""

from .base import Schema
from .media import Picture


class Review(Schema):
    id: str
    """Permanent key, e.g. ``northwind-vts``."""
    person: str
    """The speaker's name, or the function if the name is confidential."""
    role: str
    company: str
    country: str
    """The company's country: ISO 3166-1 alpha-2, lower case."""
    score: float
    """1..5, in halves."""
    text: str
    logo: Picture | None
    """The company's logo."""


class ReviewList(Schema):
    items: list[Review]
    """Reviews from the visitor's country first, else in the editors' order."""


class TestimonialPagination(Schema):
    items: list[Review]
    """Up to six. Reviews from ``countryCode`` first, else in the editors' order."""
    total: int
    more: int | None
    """The next value of ``more``; None after the last."""
