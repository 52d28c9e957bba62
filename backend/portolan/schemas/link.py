"""A link, ready to print."""

from .base import Schema
from .codes import SiteKey


class Link(Schema):
    title: str
    href: str
    """Path on the own site, absolute URL elsewhere, or ``mailto:``/``tel:``."""
    external: bool = False
    """Leads to somebody else's origin: opens in a new tab, with nofollow."""
    site: SiteKey | None = None
    """Set when the link leads to another site of ours, because this one lacks the page."""
    hreflang: str | None = None
    """Language of that other site."""
