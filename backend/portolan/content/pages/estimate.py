"""Estimate page (``/estimate``)."""

from django.utils.translation import gettext_lazy as _

from .base import SitePage


class EstimatePage(SitePage):
    page_type = "estimate"
    begins_with = ("hero", "estimate")
    is_creatable = True
    max_count_per_parent = 1
    parent_page_types = ["content.HomePage"]
    subpage_types: list[str] = []

    class Meta:
        verbose_name = _("estimate page")
