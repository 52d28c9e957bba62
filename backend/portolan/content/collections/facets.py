"""Facets, by which visitors find case studies: industries, services, technologies. The key is the slug in URLs."""

from typing import Any, ClassVar, Final, get_args

from django.db import models
from django.utils.translation import gettext_lazy as _
from modelcluster.fields import ParentalKey
from wagtail.admin.panels import FieldPanel, FieldRowPanel, Panel
from wagtail.search import index

from ...schemas import project as schemas
from ..items import FACET
from ..schedule_panel import SchedulePanel
from .base import TranslatedEntry, Translation, search_translations, translations_panel

FACETS: Final[tuple[schemas.FacetName, ...]] = get_args(schemas.FacetName)


class FacetValue(TranslatedEntry):
    """One value of a facet, e.g. the industry healthcare."""

    kind = FACET
    schema = schemas.FacetValue

    facet = models.CharField(
        max_length=20,
        choices=[(facet, facet.capitalize()) for facet in FACETS],
        help_text=_("The kind of value."),
    )

    panels: ClassVar[list[Panel]] = [
        FieldRowPanel(
            [FieldPanel("facet"), FieldPanel("key", help_text=_("Permanent part of URLs, e.g. healthcare."))]
        ),
        translations_panel("name"),
        SchedulePanel(expires=False),
    ]
    search_fields: ClassVar[list[index.BaseField]] = [
        *TranslatedEntry.search_fields,
        search_translations("name"),
        index.FilterField("facet"),
    ]

    class Meta(TranslatedEntry.Meta):
        verbose_name = _("facet value")

    def __str__(self) -> str:
        translation = self.studio_translation()
        return translation.name if translation else self.key

    def snapshot_value(self, translation: "FacetValueTranslation") -> dict[str, Any]:
        return {"facet": self.facet, "slug": self.key, "name": translation.name}


class FacetValueTranslation(Translation):
    entry = ParentalKey(FacetValue, on_delete=models.CASCADE, related_name="translations")
    name = models.CharField(max_length=80, help_text=_("As visitors read it, e.g. Healthcare."))

    class Meta(Translation.Meta):
        verbose_name = _("translation of a facet value")
        verbose_name_plural = _("translations of facet values")
