"""Show lists of pages by page type, for all sites, each with its own columns."""

from typing import Any, ClassVar

from django.utils.translation import gettext_lazy as _
from wagtail.admin.ui.tables import Column
from wagtail.admin.views.pages.listing import IndexView
from wagtail.admin.viewsets.base import ViewSetGroup
from wagtail.admin.viewsets.pages import PageListingViewSet

from ..pages.article import ArticlePage
from ..pages.blueprint import BlueprintPage
from ..pages.case_study import CaseStudyPage
from ..pages.event import EventPage

_PARENT = "parent"


def _columns(*own: Column) -> list[Column]:
    """Return Wagtail's columns with the page type's own after the title, in place of the parent column."""
    return [
        column for standard in IndexView.base_columns for column in (own if standard.name == _PARENT else (standard,))
    ]


class CaseStudyListing(PageListingViewSet):
    name = "case_studies"
    model = CaseStudyPage
    icon = "folder-open-inverse"
    menu_label = _("Case studies")
    columns: ClassVar[list[Any]] = _columns(
        Column("client", label=_("Client"), sort_key="client"),
        Column("country", label=_("Country"), accessor="get_country_display", sort_key="country"),
        Column("rank", label=_("Rank"), sort_key="rank"),
    )


class NewsListing(PageListingViewSet):
    name = "news"
    model = ArticlePage
    icon = "doc-full-inverse"
    menu_label = _("News")
    ordering = "-date"
    columns: ClassVar[list[Any]] = _columns(Column("date", label=_("Date"), sort_key="date"))


class EventListing(PageListingViewSet):
    name = "events"
    model = EventPage
    icon = "date"
    menu_label = _("Events")
    ordering = "-start"
    columns: ClassVar[list[Any]] = _columns(
        Column("start", label=_("First day"), sort_key="start"),
        Column("city", label=_("City"), sort_key="city"),
        Column("country", label=_("Country"), accessor="get_country_display", sort_key="country"),
    )


class BlueprintListing(PageListingViewSet):
    name = "blueprints"
    model = BlueprintPage
    icon = "draft"
    menu_label = _("Blueprints")
    ordering = "-date"
    columns: ClassVar[list[Any]] = _columns(Column("date", label=_("Date"), sort_key="date"))


class StoriesViewSetGroup(ViewSetGroup):
    menu_label = _("Stories")
    menu_icon = "doc-full-inverse"
    menu_order = 240
    items = (CaseStudyListing, NewsListing, EventListing, BlueprintListing)
