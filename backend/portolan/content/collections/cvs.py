"""CVs: specialists for hire, with skills and without names."""

from typing import Any, ClassVar, get_args

from django.core.validators import MaxValueValidator
from django.db import models
from django.utils.translation import gettext_lazy as _
from modelcluster.fields import ParentalKey
from wagtail.admin.panels import FieldPanel, FieldRowPanel, MultiFieldPanel, Panel
from wagtail.search import index

from ...schemas import company as schemas
from ..countries import CountryField
from ..items import CV
from ..schedule_panel import SchedulePanel
from .base import (
    PICTURE_MODEL,
    TranslatedEntry,
    Translation,
    key_panel,
    picture,
    search_translations,
    translations_panel,
)
from .lines import LinesField

SENIORITIES = [(name, name.capitalize()) for name in get_args(schemas.Seniority)]


class Cv(TranslatedEntry):
    kind = CV
    schema = schemas.Cv

    seniority = models.CharField(max_length=10, choices=SENIORITIES)
    years = models.PositiveSmallIntegerField(
        _("years of experience"), validators=[MaxValueValidator(60)], help_text=_("Whole years.")
    )
    country = CountryField(help_text=_("The specialist's place of work."))
    picture = models.ForeignKey(
        PICTURE_MODEL,
        verbose_name=_("image"),
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        related_name="+",
        help_text=_("Optional."),
    )

    panels: ClassVar[list[Panel]] = [
        MultiFieldPanel(
            [
                FieldRowPanel([FieldPanel("seniority"), FieldPanel("years")]),
                FieldRowPanel([FieldPanel("country"), key_panel("back-end-lead-warsaw")]),
                FieldPanel("picture"),
            ],
            heading=_("Specialist"),
        ),
        translations_panel("role", "summary", "skills", "languages"),
        SchedulePanel(),
    ]
    search_fields: ClassVar[list[index.BaseField]] = [
        *TranslatedEntry.search_fields,
        search_translations("role", "skills"),
        index.FilterField("seniority"),
        index.FilterField("years"),
        index.FilterField("country"),
    ]

    class Meta(TranslatedEntry.Meta):
        verbose_name = _("CV")

    def __str__(self) -> str:
        translation = self.studio_translation()
        return translation.role if translation else self.key

    def snapshot_value(self, translation: "CvTranslation") -> dict[str, Any]:
        return {
            "id": self.key,
            "role": translation.role,
            "seniority": self.seniority,
            "years": self.years,
            "country": self.country,
            "summary": translation.summary,
            "skills": translation.skills,
            "languages": translation.languages,
            "picture": picture(self.picture_id, translation.role),
        }


class CvTranslation(Translation):
    entry = ParentalKey(Cv, on_delete=models.CASCADE, related_name="translations")
    role = models.CharField(max_length=80, help_text=_("A job title without a name, e.g. Back-end engineer."))
    summary = models.TextField(max_length=600, help_text=_("Two or three plain sentences."))
    skills = LinesField(help_text=_("One per line, the strongest first."))
    languages = LinesField(blank=True, help_text=_("Spoken languages, one per line, e.g. English (C1)."))

    class Meta(Translation.Meta):
        verbose_name = _("translation of a CV")
        verbose_name_plural = _("translations of CVs")
