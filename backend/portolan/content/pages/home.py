"""Home page: the root of its site's tree."""

from .base import SitePage


class HomePage(SitePage):
    """Its address part is the site's key and shows nowhere. ``portolan sites sync`` makes one for each site."""

    family = "home"
    is_creatable = False
    parent_page_types = ["wagtailcore.Page"]

    class Meta:
        verbose_name = "home page"
