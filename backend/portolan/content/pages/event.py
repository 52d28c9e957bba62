"""Event: an occasion to meet the company (``/events/…``)."""

from collections.abc import Sequence
from datetime import date, datetime
from typing import ClassVar

from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.validators import URLValidator
from django.db import models
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from wagtail.admin.panels import FieldPanel, FieldRowPanel, MultiFieldPanel, Panel
from wagtail.search import index

from ...domain.company_day import end_of_day
from ...domain.snapshot_bodies import EntryBody
from ...schemas.event import Event
from .. import clock
from ..collections.base import item
from ..countries import CountryField
from .base import TreePage
from .card import CardPage, card_panel, picture_fields, snapshot_picture


class EventPage(CardPage):
    page_type = "event"
    Card = Event
    begins_with = ("rich_text",)
    is_creatable = True
    parent_page_types = ["content.ListingPage"]
    subpage_types: list[str] = []

    start = models.DateField(_("first day"), null=True, db_index=True)
    end = models.DateField(_("last day"), null=True, blank=True, help_text=_("Empty for an event of one day."))
    city = models.CharField(max_length=80, blank=True, help_text=_("Empty for an online event."))
    country = CountryField(
        blank=True, help_text=_("Visitors from there see the event first. Empty for an online event.")
    )
    registration = models.URLField(
        blank=True,
        validators=[URLValidator(schemes=["https", "http"])],
        help_text=_(
            "URL for registration. The page shows a button for it until the event is over. Empty: no registration."
        ),
    )
    cover, cover_alt = picture_fields("cover")

    content_panels: ClassVar[list[Panel]] = [
        *TreePage.content_panels,
        MultiFieldPanel(
            [
                FieldRowPanel([FieldPanel("start"), FieldPanel("end")]),
                FieldRowPanel([FieldPanel("city"), FieldPanel("country")]),
                FieldPanel("registration"),
            ],
            heading=_("When and where"),
        ),
        card_panel("cover"),
        FieldPanel("body"),
    ]
    search_fields = [
        *CardPage.search_fields,
        index.SearchField("city"),
        index.FilterField("start"),
        index.FilterField("country"),
    ]

    class Meta:
        verbose_name = _("event")

    def clean(self) -> None:
        super().clean()
        if self.start and self.end and self.end < self.start:
            raise ValidationError({"end": gettext("The last day is before the first day. Correct one of them.")})
        if self.city and not self.country:
            raise ValidationError({"country": gettext("Choose the country of the city.")})

    def ends_at(self, zone: str) -> datetime | None:
        """Return the end of its last day in a time zone; None before it has a date."""
        last = self.end or self.start
        return end_of_day(last, zone) if last else None

    def snapshot_card(self, site: str, locales: Sequence[int]) -> EntryBody:
        ends_at = self.ends_at(settings.SITES_REGISTRY.time_zone(site))
        past = ends_at is not None and ends_at <= clock.now()
        value = {
            "id": str(self.translation_key),
            "title": self.title,
            "summary": self.summary,
            "start": self.start and self.start.isoformat(),
            "end": (end := self.end or self.start) and end.isoformat(),
            "past": past,
            "city": self.city,
            "country": self.country,
            "registration": self.registration,
            "cover": snapshot_picture(self, "cover"),
            "link": self._card_link(),
        }
        return item(_order(self.start, past) if self.start else 0, value)


def _order(start: date, past: bool) -> int:
    """Return the position: future events by date, then past events, the latest first."""
    return 2 * date.max.toordinal() - start.toordinal() if past else start.toordinal()
