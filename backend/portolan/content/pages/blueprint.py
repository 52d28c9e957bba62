"""Blueprint: a long text on the design of a system (``/blueprint/…``)."""

from collections.abc import Sequence
from typing import ClassVar

from django.db import models
from django.utils.translation import gettext_lazy as _
from wagtail.admin.panels import FieldPanel, Panel
from wagtail.search import index

from ...domain.snapshot_bodies import EntryBody
from ...schemas.article import Blueprint
from ..collections.base import item
from .base import TreePage
from .card import CardPage, card_panel, picture_fields, snapshot_picture


class BlueprintPage(CardPage):
    page_type = "blueprint"
    Card = Blueprint
    begins_with = ("rich_text",)
    is_creatable = True
    parent_page_types = ["content.ListingPage"]
    subpage_types: list[str] = []

    date = models.DateField(
        null=True, db_index=True, help_text=_("The date that visitors see. Lists show the newest first.")
    )
    cover, cover_alt = picture_fields("cover")

    content_panels: ClassVar[list[Panel]] = [
        *TreePage.content_panels,
        FieldPanel("date"),
        card_panel("cover"),
        FieldPanel("body"),
    ]
    search_fields = [*CardPage.search_fields, index.FilterField("date")]

    class Meta:
        verbose_name = _("blueprint")

    def snapshot_card(self, site: str, locales: Sequence[int]) -> EntryBody:
        value = {
            "id": str(self.translation_key),
            "title": self.title,
            "summary": self.summary,
            "cover": snapshot_picture(self, "cover"),
            "date": self.date and self.date.isoformat(),
            "link": self._card_link(),
        }
        return item(-self.date.toordinal() if self.date else 0, value)
