"""Tech-stack page: developers of one technology (``/find-developers/…``)."""

from django.utils.translation import gettext_lazy as _

from .base import SitePage


class TechStackPage(SitePage):
    page_type = "tech-stack"
    is_creatable = True
    parent_page_types = ["content.HomePage", "content.FolderPage"]
    subpage_types: list[str] = []

    class Meta:
        verbose_name = _("tech-stack page")
