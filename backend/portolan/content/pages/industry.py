"""Industry page: the company's work in one industry (``/industries/…``)."""

from django.utils.translation import gettext_lazy as _

from .base import SitePage


class IndustryPage(SitePage):
    """An industry page. A case study below it describes one product of the industry (``/industries/healthcare/…``)."""

    page_type = "industry"
    is_creatable = True
    parent_page_types = ["content.HomePage", "content.FolderPage"]
    subpage_types = ["content.CaseStudyPage"]

    class Meta:
        verbose_name = _("industry page")
