"""The list of models: Django finds them here, each is at home in the module of its noun."""

from .pictures import SiteImage, SiteRendition
from .site_records import SiteRecord

__all__ = ("SiteImage", "SiteRecord", "SiteRendition")
