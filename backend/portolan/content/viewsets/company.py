"""Show the company's entries in the studio: offices, phones, certificates, CVs."""

from typing import ClassVar

from django.http import HttpRequest
from django.urls import reverse_lazy
from django.utils.translation import gettext, gettext_lazy
from django.utils.translation import gettext_lazy as _
from wagtail.admin.filters import WagtailFilterSet
from wagtail.admin.menu import MenuItem
from wagtail.admin.ui.tables import Column
from wagtail.permissions import policy_registry
from wagtail.snippets.views.snippets import SnippetViewSet, SnippetViewSetGroup

from ..collections.certificates import Certificate
from ..collections.cvs import Cv
from ..collections.offices import Office, OfficeCategory
from ..collections.phones import Phone
from ..rate_card import RateCardSettings
from .base import (
    EntryViewSet,
    TranslatedViewSet,
    TranslationsFilterSet,
    UsedCountryFilter,
    country_column,
    shown_column,
    sites_column,
    updated_column,
)
from .history import ChangesHistoryView


class OfficeFilterSet(WagtailFilterSet):
    country = UsedCountryFilter(Office)

    class Meta:
        model = Office
        fields: ClassVar[list[str]] = ["category"]


class OfficeViewSet(EntryViewSet):
    model = Office
    icon = "site"
    list_display = ("city", country_column(), "phone", "category", "key", shown_column(), updated_column())
    filterset_class = OfficeFilterSet
    prefetch = ("category",)


class OfficeCategoryViewSet(SnippetViewSet):
    model = OfficeCategory
    icon = "tag"
    list_display = ("name", "icon", "key")
    copy_view_enabled = False  # its key must differ
    history_view_class = ChangesHistoryView


class PhoneViewSet(EntryViewSet):
    model = Phone
    icon = "mobile-alt"
    list_display = (
        "phone",
        Column("is_default", label=_("Default"), accessor=lambda phone: gettext("Default") if phone.is_default else ""),
        Column("country_names", label=_("Countries")),
        "key",
        shown_column(),
        updated_column(),
    )


class CertificateFilterSet(TranslationsFilterSet):
    class Meta:
        model = Certificate
        fields: ClassVar[list[str]] = ["issued", "expires"]


class CertificateViewSet(TranslatedViewSet):
    model = Certificate
    icon = "success"
    list_display = ("__str__", "issuer", "issued", "expires", sites_column(), shown_column(), updated_column())
    filterset_class = CertificateFilterSet


class CvFilterSet(TranslationsFilterSet):
    country = UsedCountryFilter(Cv)

    class Meta:
        model = Cv
        fields: ClassVar[list[str]] = ["seniority"]


class CvViewSet(TranslatedViewSet):
    model = Cv
    icon = "user"
    list_display = (
        "__str__",
        Column("seniority", label=_("Seniority"), accessor="get_seniority_display", sort_key="seniority"),
        Column("years", label=_("Years"), sort_key="years"),
        country_column(),
        sites_column(),
        shown_column(),
        updated_column(),
    )
    filterset_class = CvFilterSet


class CompanyViewSetGroup(SnippetViewSetGroup):
    menu_label = _("Company")
    menu_icon = "site"
    menu_order = 250
    items = (OfficeViewSet, OfficeCategoryViewSet, PhoneViewSet, CertificateViewSet, CvViewSet)

    def get_submenu_items(self) -> list[MenuItem]:
        """Return the collections, and rate cards: a setting of each site that belongs to the company."""
        items: list[MenuItem] = super().get_submenu_items()
        return [*items, RateCardsItem(order=len(items) + 1)]


class RateCardsItem(MenuItem):
    def __init__(self, order: int) -> None:
        url = reverse_lazy("wagtailsnippets_content_ratecardsettings:list")
        super().__init__(gettext_lazy("Rate cards"), url, icon_name="table", order=order)

    def is_shown(self, request: HttpRequest) -> bool:
        policy = policy_registry.get_by_type(RateCardSettings)
        return bool(policy.user_has_any_permission(request.user, ["change", "view"]))
