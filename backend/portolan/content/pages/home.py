"""Home page: the root of its site's tree."""

from django.utils.translation import gettext_lazy as _

from .base import SitePage


class HomePage(SitePage):
    """A home page. Its slug is the site's key and never visible. ``portolan sites sync`` creates one for each site."""

    page_type = "home"
    is_creatable = False
    parent_page_types = ["wagtailcore.Page"]

    class Meta:
        verbose_name = _("home page")
