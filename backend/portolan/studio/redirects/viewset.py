"""The list of redirects, its forms and its menu item."""

from functools import cached_property
from typing import Any, ClassVar

import django_filters
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse, reverse_lazy
from django.utils.translation import gettext, gettext_lazy
from django.utils.translation import gettext_lazy as _
from wagtail.admin.filters import WagtailFilterSet
from wagtail.admin.menu import MenuItem
from wagtail.admin.panels import ObjectList
from wagtail.admin.ui.tables import Column
from wagtail.admin.widgets.button import Button
from wagtail.snippets.views.snippets import CreateView, IndexView, SnippetViewSet, SnippetViewSetGroup

from ...content.may import may
from ...content.redirects import Redirect
from ...content.viewsets.base import EntryEditView, updated_column
from ...content.viewsets.history import ChangesHistoryView
from ...domain.roles import Action
from ..site_names import site_name
from .own_sites import RedirectForm, name_record, seen_redirects, sites_offered


def send_from_former_address(request: HttpRequest, rest: str = "") -> HttpResponse:
    """Redirect from the previous URLs of these screens."""
    query = request.GET.urlencode()
    return redirect(reverse("wagtailsnippets_content_redirect:list") + rest + (f"?{query}" if query else ""))


class _SiteField(django_filters.fields.ModelChoiceField):
    def label_from_instance(self, obj: Any) -> str:
        return name_record(obj)


class _SiteFilter(django_filters.ModelChoiceFilter):
    field_class = _SiteField


class RedirectFilterSet(WagtailFilterSet):
    site = _SiteFilter(label=_("Site"), queryset=lambda request: sites_offered(request.user), null_label=_("All sites"))

    class Meta:
        model = Redirect
        fields: ClassVar[list[str]] = ["site", "status"]


class RedirectIndexView(IndexView):
    def get_edit_url(self, instance: Redirect) -> str | None:
        url: str | None = super().get_edit_url(instance)
        return url if url and self.user_has_permission_for_instance("change", instance) else None

    def get_delete_url(self, instance: Redirect) -> str | None:
        url: str | None = super().get_delete_url(instance)
        return url if url and self.user_has_permission_for_instance("delete", instance) else None

    @cached_property
    def header_more_buttons(self) -> list[Button]:
        buttons: list[Button] = [*super().header_more_buttons]
        query = self.request.GET.urlencode()
        url = reverse("studio_redirects_export") + (f"?{query}" if query else "")
        buttons.append(Button(gettext("Download list (CSV)"), url=url, icon_name="download", priority=50))
        if self.user_has_any_permission(["add", "change"]):
            url = reverse("studio_redirects_import")
            buttons.append(Button(gettext("Upload list (CSV)"), url=url, icon_name="upload", priority=60))
        return buttons


class RedirectCreateView(CreateView):
    """Form whose fields a link may fill in, for example from the list of old URLs."""

    def get_initial_form_instance(self) -> Redirect:
        site = self.request.GET.get("site", "")
        record = sites_offered(self.request.user, "add").filter(key=site).first() if site else None
        return Redirect(site=record, source=self.request.GET.get("source", "")[:400])


class RedirectViewSet(SnippetViewSet):
    model = Redirect
    icon = "redirect"
    menu_label = _("Redirects")
    base_url_path = "redirects"
    edit_handler = ObjectList(Redirect.panels, base_form_class=RedirectForm)
    list_display = (
        "source",
        Column("site", label=_("Site"), accessor=lambda row: site_name(row.site_id) if row.site_id else gettext("All sites"), sort_key="site"),
        Column("target", label=_("Redirects to")),
        Column("status", label=_("Answer"), accessor="get_status_display", sort_key="status"),
        "note",
        updated_column(),
    )  # fmt: skip
    list_per_page = 50
    ordering = ("source", "site")
    filterset_class = RedirectFilterSet
    search_fields = ("source", "address", "note")
    search_backend_name = None
    index_view_class = RedirectIndexView
    add_view_class = RedirectCreateView
    edit_view_class = EntryEditView
    history_view_class = ChangesHistoryView
    copy_view_enabled = False  # the copy would have the same URL
    list_export = ()  # ``export_redirects`` writes a CSV file that can be uploaded again

    def get_queryset(self, request: HttpRequest) -> QuerySet[Redirect]:
        return seen_redirects(request.user).select_related("page", "site")


class AddressesViewSetGroup(SnippetViewSetGroup):
    menu_label = _("URLs")
    menu_icon = "redirect"
    menu_order = 275
    items = (RedirectViewSet,)

    def get_submenu_items(self) -> list[MenuItem]:
        items: list[Any] = super().get_submenu_items()
        return [*items, FormerAddressesItem()]


class FormerAddressesItem(MenuItem):
    def __init__(self) -> None:
        super().__init__(
            gettext_lazy("Old URLs"), reverse_lazy("studio_former_addresses"), icon_name="history", order=900
        )

    def is_shown(self, request: HttpRequest) -> bool:
        return may(request.user, Action.SEE)
