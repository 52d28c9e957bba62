"""Facets: what case studies can be found by - industries, services, technologies. The key is the slug in addresses."""

from typing import Any, ClassVar, Final, get_args

from django.db import models
from modelcluster.fields import ParentalKey
from wagtail.admin.panels import FieldPanel, FieldRowPanel, Panel
from wagtail.search import index

from ...schemas import project as schemas
from ..items import FACET
from .base import WordedEntry, Words, search_words, words_panel

FACETS: Final[tuple[schemas.FacetName, ...]] = get_args(schemas.FacetName)


class FacetValue(WordedEntry):
    """One value of a facet, e.g. the industry healthcare."""

    kind = FACET
    schema = schemas.FacetValue

    facet = models.CharField(
        max_length=20,
        choices=[(facet, facet.capitalize()) for facet in FACETS],
        help_text="What kind of thing it names.",
    )

    panels: ClassVar[list[Panel]] = [
        FieldRowPanel(
            [FieldPanel("facet"), FieldPanel("key", help_text="Stands in addresses and stays, e.g. healthcare.")]
        ),
        words_panel("name"),
    ]
    search_fields: ClassVar[list[index.BaseField]] = [
        *WordedEntry.search_fields,
        search_words("name"),
        index.FilterField("facet"),
    ]

    class Meta(WordedEntry.Meta):
        verbose_name = "facet value"

    def __str__(self) -> str:
        words = self.studio_words()
        return words.name if words else self.key

    def freeze_value(self, words: "FacetWords") -> dict[str, Any]:
        return {"facet": self.facet, "slug": self.key, "name": words.name}


class FacetWords(Words):
    entry = ParentalKey(FacetValue, on_delete=models.CASCADE, related_name="words")
    name = models.CharField(max_length=80, help_text="As visitors read it, e.g. Healthcare.")

    class Meta(Words.Meta):
        verbose_name = "words of a facet value"
        verbose_name_plural = "words of facet values"
