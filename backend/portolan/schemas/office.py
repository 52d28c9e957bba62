"""Offices (spec §2 Footer, §3)."""

from .base import Schema
from .icon import IconName


class OfficeCategory(Schema):
    name: str
    icon: IconName


class Office(Schema):
    # A new field is needed in six more places: docs/where-is.md, Offices.

    id: str
    """Stable key, e.g. ``dallas``."""
    city: str
    address: str
    phone: str
    """As printed; ``tel:`` takes its digits and plus sign."""
    category: OfficeCategory
    country: str
    """ISO 3166-1 alpha-2, lower case."""
    lat: float
    lng: float
    sets: list[str]
    """Office sets the card belongs to: ``default``, ``de``, ``ae``, ``az``, ``fr``, ``kz``, ``in``, ``uk``, ``cis``."""
    opened: int | None = None
    """Year."""
    # Only the content API has the hours. No page shows them.
    hours: str = ""
    """Opening hours in the language of the site, e.g. ``Mon-Fri 9:00-18:00``; empty where visitors need none."""


class OfficeList(Schema):
    items: list[Office]
    """In the company's order."""
