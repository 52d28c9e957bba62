"""Case study: one project, told at length (``/project-cases/…``)."""

from .base import SitePage


class CaseStudyPage(SitePage):
    family = "case-study"
    is_creatable = True
    parent_page_types = ["content.HomePage", "content.FolderPage"]
    subpage_types: list[str] = []

    class Meta:
        verbose_name = "case study"
