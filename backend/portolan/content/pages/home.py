"""Home page: the root of its site's tree."""

from .base import SitePage


class HomePage(SitePage):
    """Its slug is the site's key and is shown nowhere. ``portolan sites sync`` makes one for each site."""

    family = "home"
    is_creatable = False
    parent_page_types = ["wagtailcore.Page"]

    class Meta:
        verbose_name = "home page"
