"""Reviews by clients, and the pages that show them."""

from collections.abc import Iterable
from typing import Any, ClassVar, Final

from django.db import models
from django.utils.formats import number_format
from django.utils.functional import lazy
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from modelcluster.fields import ParentalKey
from wagtail.admin.panels import FieldPanel, FieldRowPanel, InlinePanel, MultiFieldPanel, Panel
from wagtail.models import Page
from wagtail.search import index

from ...schemas import review as schemas
from ..countries import CountryField
from ..items import REVIEW
from ..rules import check_placeholders
from ..schedule_panel import SchedulePanel
from .base import (
    PICTURE_MODEL,
    Placement,
    TranslatedEntry,
    Translation,
    key_panel,
    picture,
    search_translations,
    translations_panel,
)


def _say_score(score: float) -> str:
    return gettext("{score} of 5").format(score=number_format(score, 1))


_SCORES: Final = [(halves / 2, lazy(_say_score, str)(halves / 2)) for halves in range(10, 1, -1)]


class Review(TranslatedEntry):
    """One client's review. Client, score and pages are the same on all sites."""

    kind = REVIEW
    schema = schemas.Review
    related = (*TranslatedEntry.related, "placements__page")

    company = models.CharField(
        max_length=80, validators=[check_placeholders], help_text=_("In the client's own spelling.")
    )
    country = CountryField(help_text=_("The client's country. Visitors from there see the review first."))
    score = models.FloatField(choices=_SCORES, help_text=_("The score that the client gave."))
    logo = models.ForeignKey(
        PICTURE_MODEL,
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        related_name="+",
        help_text=_("The company's logo."),
    )

    panels: ClassVar[list[Panel]] = [
        MultiFieldPanel(
            [
                FieldRowPanel([FieldPanel("company"), FieldPanel("country")]),
                FieldRowPanel([FieldPanel("score"), key_panel("northwind-vts")]),
                FieldPanel("logo"),
            ],
            heading=_("Client"),
        ),
        translations_panel("person", "role", "text"),
        InlinePanel(
            "placements",
            heading=_("Shown on these pages"),
            label=_("page"),
            help_text=_(
                "Other sites show it on their own versions of these pages. The testimonials page shows all reviews."
            ),
        ),
        SchedulePanel(),
    ]
    search_fields: ClassVar[list[index.BaseField]] = [
        *TranslatedEntry.search_fields,
        index.SearchField("company", boost=2),
        index.AutocompleteField("company"),
        search_translations("person", "role", "text"),
        index.FilterField("country"),
        index.FilterField("score"),
    ]

    class Meta(TranslatedEntry.Meta):
        verbose_name = _("review")

    def __str__(self) -> str:
        return self.company

    def snapshot_value(self, translation: "ReviewTranslation") -> dict[str, Any]:
        return {
            "id": self.key,
            "person": translation.person,
            "role": translation.role,
            "company": self.company,
            "country": self.country,
            "score": self.score,
            "text": translation.text,
            "logo": picture(self.logo_id, self.company),
        }

    def pages(self) -> Iterable[Page]:
        return (placement.page for placement in self.placements.all())


class ReviewTranslation(Translation):
    entry = ParentalKey(Review, on_delete=models.CASCADE, related_name="translations")
    person = models.CharField(
        max_length=80, help_text=_("The speaker's name, or the function if the name is confidential.")
    )
    role = models.CharField(
        max_length=120, blank=True, help_text=_("The person's role or department, e.g. Vessel traffic services.")
    )
    text = models.TextField(max_length=1200, help_text=_("Plain sentences without quotation marks."))

    class Meta(Translation.Meta):
        verbose_name = _("translation of a review")
        verbose_name_plural = _("translations of reviews")


class ReviewPlacement(Placement):
    entry = ParentalKey(Review, on_delete=models.CASCADE, related_name="placements")

    class Meta(Placement.Meta):
        verbose_name = _("place of a review")
        verbose_name_plural = _("places of reviews")
