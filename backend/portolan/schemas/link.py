"""Define a link, ready for output."""

from .base import Schema
from .codes import SiteKey


class Link(Schema):
    title: str
    href: str
    """Path on the own site, absolute URL elsewhere, or ``mailto:``/``tel:``."""
    external: bool = False
    """Links to another owner's origin: opens in a new tab, with nofollow."""
    site: SiteKey | None = None
    """Set if the link goes to another of our sites, because this site lacks the page."""
    hreflang: str | None = None
    """Language of that other site."""
