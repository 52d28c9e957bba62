"""Offices (spec §2 Footer, §3)."""

from .base import Schema
from .icon import IconName


class OfficeCategory(Schema):
    name: str
    icon: IconName


class Office(Schema):
    # A new field needs changes in six more places: see docs/where-is.md, Offices.

    id: str
    """Permanent key, e.g. ``dallas``."""
    city: str
    address: str
    phone: str
    """As printed; ``tel:`` uses its digits and plus sign."""
    category: OfficeCategory
    country: str
    """ISO 3166-1 alpha-2, lower case."""
    lat: float
    lng: float
    sets: list[str]
    """Office sets that contain the card: ``default``, ``de``, ``ae``, ``az``, ``fr``, ``kz``, ``in``, ``uk``,
    ``cis``."""
    opened: int | None = None
    """Year of opening."""
    # Only the content API has the hours. Pages do not show them.
    hours: str = ""
    """Opening hours in the language of the site, e.g. ``Mon-Fri 9:00-18:00``; may be empty."""


class OfficeList(Schema):
    items: list[Office]
    """In the company's order."""
