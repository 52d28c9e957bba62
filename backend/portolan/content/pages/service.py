"""Service page: one service of the company (``/services/…``)."""

from django.utils.translation import gettext_lazy as _

from .base import SitePage


class ServicePage(SitePage):
    page_type = "service"
    is_creatable = True
    parent_page_types = ["content.HomePage", "content.FolderPage"]
    subpage_types = ["content.CaseStudyPage"]

    class Meta:
        verbose_name = _("service page")
