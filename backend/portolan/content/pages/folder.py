"""Folder: adds a segment to the paths of its pages and has no page of its own (``/services/…``)."""

from typing import ClassVar

from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _
from wagtail.admin.panels import HelpPanel, Panel

from .base import TreePage


class FolderPage(TreePage):
    is_creatable = True
    parent_page_types = ["content.HomePage", "content.FolderPage"]

    content_panels: ClassVar[list[Panel]] = [
        HelpPanel(content="A folder adds its slug to the URLs of its pages. The folder itself has no public page."),
        *TreePage.content_panels,
    ]

    class Meta:
        verbose_name = _("folder")

    def get_url_parts(self, request: HttpRequest | None = None) -> None:
        return None
