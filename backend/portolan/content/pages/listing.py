"""Listing: a page that lists its child pages (``/project-cases``, ``/company/insights``, ``/events`` …)."""

from django.utils.translation import gettext_lazy as _

from .base import SitePage


class ListingPage(SitePage):
    """A listing. The list itself is a block of its body."""

    page_type = "listing"
    is_creatable = True
    parent_page_types = ["content.HomePage", "content.FolderPage"]
    subpage_types = ["content.CaseStudyPage", "content.ArticlePage", "content.EventPage", "content.BlueprintPage"]

    class Meta:
        verbose_name = _("listing page")
