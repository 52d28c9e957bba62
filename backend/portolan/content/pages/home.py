"""Home page: the root of its site's tree."""

from django.utils.translation import gettext_lazy as _

from .base import SitePage


class HomePage(SitePage):
    """Its slug is the site's key and is shown nowhere. ``portolan sites sync`` makes one for each site."""

    family = "home"
    is_creatable = False
    parent_page_types = ["wagtailcore.Page"]

    class Meta:
        verbose_name = _("home page")
