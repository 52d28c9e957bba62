"""Legal page: policies, terms, imprint."""

from django.utils.translation import gettext_lazy as _

from .base import SitePage


class LegalPage(SitePage):
    page_type = "legal"
    begins_with = ("hero", "rich_text")
    is_creatable = True
    parent_page_types = ["content.HomePage", "content.FolderPage"]
    subpage_types: list[str] = []

    class Meta:
        verbose_name = _("legal page")
