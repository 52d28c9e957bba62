"""The page type of a place that visitors can come to (``/branches/hamburg``)."""

from typing import Any, ClassVar

from django.db import models
from wagtail.admin.panels import FieldPanel, MultiFieldPanel, Panel

from portolan.content.fields import BlocksField, BodyField
from portolan.content.pages.base import SitePage, TreePage
from portolan.schemas.base import Schema
from portolan.schemas.media import Picture

from .hours import ClosedDay, ClosedDayBlock, Hours, HoursBlock, check_time_zone


class BranchFields(Schema):
    """Fields of ``BranchPage`` that the layout shows with the page's title and blocks. The names are the same."""

    summary: str
    address: str
    """In lines."""
    phone: str
    email: str
    directions: str
    """Address of a map, or empty."""
    picture: Picture | None
    hours: list[Hours]
    closed_on: list[ClosedDay]
    time_zone: str


class BranchPage(SitePage):
    page_type = "branch"
    Fields = BranchFields
    header = "transparent"
    is_creatable = True
    parent_page_types: ClassVar[list[str]] = ["content.HomePage", "content.FolderPage", "content.ListingPage"]
    subpage_types: ClassVar[list[str]] = []

    summary = models.TextField(max_length=300, help_text="Shown below the title: one or two sentences.")
    address = models.TextField(max_length=300, help_text="As on an envelope, in lines.")
    phone = models.CharField(max_length=40, blank=True, help_text="With its country code, e.g. +49 40 1234567.")
    email = models.EmailField(blank=True)
    directions = models.URLField(
        "link to a map", blank=True, help_text="Where visitors find the way, e.g. https://www.openstreetmap.org/…"
    )
    picture = models.ForeignKey("content.SiteImage", null=True, blank=True, on_delete=models.PROTECT, related_name="+")
    picture_alt = models.CharField(
        "description of the image",
        max_length=160,
        blank=True,
        help_text="What it shows, for those who do not see it.",
    )
    hours: Any = BlocksField([("hours", HoursBlock())], max_num=14)
    closed_on: Any = BlocksField([("day", ClosedDayBlock())], blank=True, max_num=40)
    time_zone = models.CharField(
        max_length=40, validators=[check_time_zone], help_text="Where the hours hold, e.g. Europe/Berlin."
    )
    # The layout has the page's heading, so a hero would be a second one.
    body = BodyField(
        blank=True,
        only=("rich_text", "image_text", "cards", "gallery", "team", "faq", "contact_form", "call_to_action"),
    )

    content_panels: ClassVar[list[Panel]] = [
        *TreePage.content_panels,
        FieldPanel("summary"),
        MultiFieldPanel([FieldPanel("picture"), FieldPanel("picture_alt")], heading="Picture"),
        MultiFieldPanel([FieldPanel(name) for name in ("address", "phone", "email", "directions")], heading="Contact"),
        MultiFieldPanel([FieldPanel(name) for name in ("hours", "closed_on", "time_zone")], heading="Opening hours"),
        FieldPanel("body"),
    ]

    class Meta:
        verbose_name = "branch"
