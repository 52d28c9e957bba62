"""CVs: specialists for hire, told by what they can do and without their names."""

from typing import Any, ClassVar, get_args

from django.core.validators import MaxValueValidator
from django.db import models
from modelcluster.fields import ParentalKey
from wagtail.admin.panels import FieldPanel, FieldRowPanel, MultiFieldPanel, Panel
from wagtail.search import index

from ...schemas import company as schemas
from ..countries import CountryField
from ..items import CV
from .base import PICTURE_MODEL, WordedEntry, Words, key_panel, picture, search_words, words_panel
from .lines import LinesField

SENIORITIES = [(name, name.capitalize()) for name in get_args(schemas.Seniority)]


class Cv(WordedEntry):
    kind = CV
    schema = schemas.Cv

    seniority = models.CharField(max_length=10, choices=SENIORITIES)
    years = models.PositiveSmallIntegerField(
        "years of experience", validators=[MaxValueValidator(60)], help_text="Whole years."
    )
    country = CountryField(help_text="Where they work.")
    picture = models.ForeignKey(
        PICTURE_MODEL,
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        related_name="+",
        help_text="Empty: none is shown.",
    )

    panels: ClassVar[list[Panel]] = [
        MultiFieldPanel(
            [
                FieldRowPanel([FieldPanel("seniority"), FieldPanel("years")]),
                FieldRowPanel([FieldPanel("country"), key_panel("back-end-lead-warsaw")]),
                FieldPanel("picture"),
            ],
            heading="Specialist",
        ),
        words_panel("role", "summary", "skills", "languages"),
    ]
    search_fields: ClassVar[list[index.BaseField]] = [
        *WordedEntry.search_fields,
        search_words("role", "skills"),
        index.FilterField("seniority"),
        index.FilterField("years"),
        index.FilterField("country"),
    ]

    class Meta(WordedEntry.Meta):
        verbose_name = "CV"

    def __str__(self) -> str:
        words = self.studio_words()
        return words.role if words else self.key

    def freeze_value(self, words: "CvWords") -> dict[str, Any]:
        return {
            "id": self.key,
            "role": words.role,
            "seniority": self.seniority,
            "years": self.years,
            "country": self.country,
            "summary": words.summary,
            "skills": words.skills,
            "languages": words.languages,
            "picture": picture(self.picture_id, words.role),
        }


class CvWords(Words):
    entry = ParentalKey(Cv, on_delete=models.CASCADE, related_name="words")
    role = models.CharField(max_length=80, help_text="E.g. Back-end engineer. No name.")
    summary = models.TextField(max_length=600, help_text="Two or three plain sentences.")
    skills = LinesField(help_text="One on a line, the strongest first.")
    languages = LinesField(blank=True, help_text="Spoken languages, one on a line, e.g. English (C1).")

    class Meta(Words.Meta):
        verbose_name = "words of a CV"
        verbose_name_plural = "words of CVs"
