"""Show reviews and facets in the studio."""

from typing import ClassVar

from django.utils.translation import gettext_lazy as _
from wagtail.admin.ui.tables import Column
from wagtail.snippets.views.snippets import SnippetViewSetGroup

from ..collections.facets import FacetValue
from ..collections.reviews import Review
from .base import (
    TranslatedViewSet,
    TranslationsFilterSet,
    UsedCountryFilter,
    country_column,
    shown_column,
    sites_column,
    updated_column,
)


class ReviewFilterSet(TranslationsFilterSet):
    country = UsedCountryFilter(Review)

    class Meta:
        model = Review
        fields: ClassVar[list[str]] = ["score"]


def _name_person(review: Review) -> str:
    translation = review.studio_translation()
    return translation.person if translation else ""


class ReviewViewSet(TranslatedViewSet):
    model = Review
    icon = "openquote"
    list_display = (
        "company",
        Column("person", label=_("Person"), accessor=_name_person),
        country_column(),
        Column("score", label=_("Score"), sort_key="score"),
        Column("places", label=_("On pages"), accessor=lambda review: len(review.placements.all())),
        sites_column(),
        shown_column(),
        updated_column(),
    )
    filterset_class = ReviewFilterSet
    prefetch = ("translations__locale__record", "placements")


class FacetFilterSet(TranslationsFilterSet):
    class Meta:
        model = FacetValue
        fields: ClassVar[list[str]] = ["facet"]


class FacetValueViewSet(TranslatedViewSet):
    model = FacetValue
    icon = "tag"
    menu_label = _("Facets")
    list_display = (
        "__str__",
        Column("facet", label=_("Facet"), accessor="get_facet_display", sort_key="facet"),
        Column("key", label=_("In URLs"), sort_key="key"),
        sites_column(),
        updated_column(),
    )
    filterset_class = FacetFilterSet


class ClientsViewSetGroup(SnippetViewSetGroup):
    menu_label = _("Clients")
    menu_icon = "group"
    menu_order = 260
    items = (ReviewViewSet, FacetValueViewSet)
