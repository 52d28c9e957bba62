"""Case study: one project in detail (``/project-cases/…``)."""

from collections.abc import Iterable, Sequence
from typing import Any, ClassVar, Final

from django import forms
from django.core.exceptions import ValidationError
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from modelcluster.fields import ParentalKey, ParentalManyToManyField
from wagtail import blocks
from wagtail.admin.panels import FieldPanel, FieldRowPanel, InlinePanel, MultiFieldPanel, Panel
from wagtail.search import index

from ...domain.snapshot_bodies import EntryBody
from ...schemas.project import Project
from ..blocks.base import LineBlock, PictureBlock
from ..collections.base import Placement, choose_translation, item
from ..collections.facets import FacetValue
from ..countries import CountryField
from ..drafts import only_shown
from ..fields import BlocksField
from ..snapshot import snapshot_stream
from .base import TreePage
from .card import CardPage, card_panel, picture_fields, snapshot_picture

_UNRANKED: Final = 1_000_000
"""Order of case studies without a rank: after all ranked ones."""


class ResultBlock(blocks.StructBlock):
    """Published as :class:`~portolan.schemas.project.ProjectResult`."""

    value = LineBlock(max_length=24, label=_("Figure"), help_text=_("The number as visitors read it, e.g. 26 min."))
    caption = LineBlock(max_length=120, label=_("Caption"))

    class Meta:
        icon = "pick"
        label_format = "{value} {caption}"


class FacetsField(ParentalManyToManyField):
    """Values of one facet, ticked in a list."""

    def formfield(self, **kwargs: Any) -> Any:
        values = FacetValue.objects.prefetch_related("translations__locale")  # the label of each is a translation
        return super().formfield(**{"queryset": values, "widget": forms.CheckboxSelectMultiple, **kwargs})


def _facets(facet: str, plural: str) -> FacetsField:
    return FacetsField(FacetValue, blank=True, related_name="+", limit_choices_to={"facet": facet}, verbose_name=plural)


class CaseStudyPage(CardPage):
    page_type = "case-study"
    Card = Project
    card_related = (
        "industries__translations",
        "services__translations",
        "technologies__translations",
        "placements__page",
    )
    is_creatable = True
    parent_page_types = [
        "content.ListingPage",
        "content.ServicePage",
        "content.IndustryPage",
        "content.HomePage",
        "content.FolderPage",
    ]
    subpage_types: list[str] = []

    client = models.CharField(max_length=80, default="", help_text=_("The client's name, as visitors read it."))
    country = CountryField(null=True, verbose_name=_("the client's country"))
    industries = _facets("industry", "industries")
    services = _facets("service", "services")
    technologies = _facets("technology", "technologies")
    lat = models.FloatField(
        _("latitude"), null=True, blank=True, validators=[MinValueValidator(-90), MaxValueValidator(90)]
    )
    lng = models.FloatField(
        _("longitude"), null=True, blank=True, validators=[MinValueValidator(-180), MaxValueValidator(180)]
    )
    rank = models.PositiveSmallIntegerField(
        null=True,
        blank=True,
        validators=[MinValueValidator(1)],
        help_text=_("Position among the best, 1 first. Empty: after all ranked case studies."),
    )
    listed = models.BooleanField(
        _("show in lists"),
        default=True,
        help_text=_(
            "Untick for a page about a kind of product instead of one project, such as a page below an industry. Lists, "
            "filters, the map and the content API then leave it out."
        ),
    )
    cover, cover_alt = picture_fields("cover")
    results = BlocksField([("result", ResultBlock())], blank=True, max_num=6)
    gallery = BlocksField([("picture", PictureBlock(label=_("Image")))], blank=True, max_num=24)

    content_panels: ClassVar[list[Panel]] = [
        *TreePage.content_panels,
        MultiFieldPanel([FieldRowPanel([FieldPanel("client"), FieldPanel("country")])], heading=_("Client")),
        card_panel("cover"),
        MultiFieldPanel(
            [FieldPanel("industries"), FieldPanel("services"), FieldPanel("technologies")],
            heading=_("Filters"),
            help_text=_("Visitors filter case studies by these values. Create new values under Facets."),
            classname="collapsed",
        ),
        FieldPanel("results", help_text=_("Results in numbers, shown with full case studies.")),
        FieldPanel("body"),
        FieldPanel("gallery", help_text=_("Images of the project, in addition to those in blocks.")),
    ]
    settings_panels: ClassVar[list[Panel]] = [
        *CardPage.settings_panels,
        MultiFieldPanel(
            [
                FieldPanel("listed"),
                FieldPanel("rank"),
                InlinePanel(
                    "placements",
                    heading=_("Shown on these pages"),
                    label=_("page"),
                    help_text=_("Pages that show this case study, with their translations."),
                ),
            ],
            heading=_("Where it is shown"),
        ),
        MultiFieldPanel(
            [FieldRowPanel([FieldPanel("lat"), FieldPanel("lng")])],
            heading=_("On the map"),
            help_text=_("In degrees. Leave both empty to keep it off the map."),
        ),
    ]
    search_fields = [
        *CardPage.search_fields,
        index.SearchField("client", boost=2),
        index.AutocompleteField("client"),
        index.FilterField("country"),
        index.FilterField("rank"),
    ]

    class Meta:
        verbose_name = _("case study")
        verbose_name_plural = _("case studies")

    def clean(self) -> None:
        super().clean()
        if (self.lat is None) != (self.lng is None):
            empty = "lat" if self.lat is None else "lng"
            raise ValidationError(
                {empty: gettext("A position needs both values. Fill in this one, or clear the other.")}
            )

    def has_card(self) -> bool:
        return self.listed

    def snapshot_card(self, site: str, locales: Sequence[int]) -> EntryBody:
        value = {
            "id": str(self.translation_key),
            "slug": self.slug,
            "title": self.title,
            "summary": self.summary,
            "client": self.client,
            "country": self.country,
            "cover": snapshot_picture(self, "cover"),
            "link": self._card_link(),
            "industries": _snapshot_facets(self.industries.all(), locales),
            "services": _snapshot_facets(self.services.all(), locales),
            "technologies": _snapshot_facets(self.technologies.all(), locales),
            "results": snapshot_stream(self.results, {}),
            "lat": self.lat,
            "lng": self.lng,
            "gallery": [picture for picture in snapshot_stream(self.gallery, {}) if picture],
            "rank": self.rank,
        }
        return item(self.rank or _UNRANKED, value, [placement.page for placement in self.placements.all()])


class CaseStudyPlacement(Placement):
    entry = ParentalKey(CaseStudyPage, on_delete=models.CASCADE, related_name="placements")


def _snapshot_facets(values: Iterable[FacetValue], locales: Sequence[int]) -> list[dict[str, Any]]:
    """Return the live values in the editors' order, each in the translation for the first of ``locales`` that has
    one."""
    found = []
    for value in sorted(only_shown(values), key=lambda value: (value.sort_order, value.key)):
        translation = choose_translation(value.translations.all(), locales)
        found.append({"facet": value.facet, "slug": value.key, "name": translation.name if translation else None})
    return found
