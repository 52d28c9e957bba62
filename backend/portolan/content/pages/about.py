"""About page: the company and its offices (``/about-us``)."""

from django.utils.translation import gettext_lazy as _

from .base import SitePage


class AboutPage(SitePage):
    page_type = "about"
    is_creatable = True
    max_count_per_parent = 1
    parent_page_types = ["content.HomePage"]
    subpage_types: list[str] = []

    class Meta:
        verbose_name = _("about page")
