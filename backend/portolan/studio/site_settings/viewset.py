"""Lists and forms of menus, footers and rate cards, with drafts, history and preview."""

from functools import cached_property
from typing import Any, Final

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.urls import URLPattern, path, reverse
from django.utils.text import capfirst
from django.utils.translation import gettext_lazy as _
from django.views import View
from wagtail.admin.views.generic import WagtailAdminTemplateMixin
from wagtail.admin.views.generic.permissions import PermissionCheckedMixin
from wagtail.models import Site
from wagtail.snippets.views.snippets import SnippetViewSet, SnippetViewSetGroup

from ...content.interface_words import InterfaceWords
from ...content.navigation.footer import FooterSettings
from ...content.navigation.menu import MenuSettings
from ...content.rate_card import RateCardSettings
from ...content.site_records import load_site_roots
from ...content.viewsets.base import EntryEditView
from ...content.viewsets.history import ChangesHistoryView
from ..local_versions.following import begin as begin_following
from .rows import find_source, list_rows, may_change

_LEFT_OUT: Final = frozenset({"list_results", "add", "delete", "usage", "preview_on_add"})
"""Wagtail's URLs to leave out. Each site has one object, which is created from the list and removed by unpublishing."""


class OfOneSite:
    """Mixin that checks rights for the site of the row."""

    def user_has_permission(self, permission: str) -> bool:
        row = self._row
        allowed: bool = super().user_has_permission(permission)  # type: ignore[misc]
        if row is None or not allowed:
            return allowed
        return bool(self.user_has_permission_for_instance(permission, row))  # type: ignore[attr-defined]

    def user_has_any_permission(self, permissions: list[str]) -> bool:
        return any(self.user_has_permission(permission) for permission in permissions)

    def get_available_actions(self) -> list[str]:
        actions: list[str] = super().get_available_actions()  # type: ignore[misc]
        return [action for action in actions if action != "publish" or self.user_has_permission("publish")]

    @cached_property
    def _row(self) -> Any:
        view: Any = self
        pk = view.request.resolver_match.kwargs.get("pk")  # some Wagtail views remove it from their own kwargs
        return None if pk is None else view.model._default_manager.filter(pk=pk).first()


class SettingIndexView(PermissionCheckedMixin, WagtailAdminTemplateMixin, View):
    """List the sites with their own or inherited version. One row for each site, so without search and pages."""

    model: Any = None
    any_permission_required = ("change", "view")
    header_icon = ""
    edit_url_name = ""
    index_url_name = ""
    breadcrumbs_items = ()
    template_name = ""

    def get(self, request: HttpRequest) -> HttpResponse:
        rows = list_rows(self.model, request.user)
        namespace = self.index_url_name.rpartition(":")[0]
        title = capfirst(self.model._meta.verbose_name_plural)
        context = {"rows": rows, "title": title, "icon": self.header_icon, "edit": self.edit_url_name}
        context |= {"begin": f"{namespace}:begin", "what": self.model._meta.verbose_name}
        return TemplateResponse(request, self.template_name, context)


class BeginView(PermissionCheckedMixin, View):
    """Create a site's own version as a draft copy. Visitors see the inherited version until it is published.

    The copy is a local version: each part follows the source until an editor changes it.
    """

    model: Any = None
    edit_url_name = ""
    permission_required = "change"
    http_method_names = ("post",)

    def post(self, request: HttpRequest, site: str) -> HttpResponse:
        root = load_site_roots().get(site)
        if root is None or not may_change(request.user, self.model, root.wagtail_site_id):
            raise Http404("There is no such site, or none that you may edit.")
        row = begin(self.model, site, request.user)
        return redirect(reverse(self.edit_url_name, args=[row.pk]))


def begin(model: Any, site: str, user: Any = None, source: Any = None) -> Any:
    """Return the row of a site, or create it as a draft copy of ``source`` or of the row that the site inherits. Raise
    KeyError if the site is not configured."""
    root = load_site_roots()[site]
    row = model._default_manager.filter(site_id=root.wagtail_site_id).first()
    if row is not None and (row.is_filled() or row.latest_revision_id):
        return row
    if row is None:
        row = model(site=Site.objects.get(pk=root.wagtail_site_id))
    row.live = False
    row.save()
    if model.begins_as_copy:
        source = source or find_source(model, site)
    draft = row.with_content_json(_without_ids(source.serializable_data())) if source else row
    draft.save()
    draft.save_revision(user=user, clean=False, log_action="wagtail.create")
    if source:
        begin_following(draft, source)
    return row


def _without_ids(data: dict[str, Any]) -> dict[str, Any]:
    """Return the data with new rows, and without scheduled times."""
    return {
        name: [{**row, "pk": None} for row in said] if isinstance(said, list) else said
        for name, said in data.items()
        if name not in ("go_live_at", "expire_at")
    }


class SettingEditView(EntryEditView):
    """Form for one site, with its name as the subtitle."""

    def get_page_subtitle(self) -> str:
        return str(self.object)


class SettingViewSet(SnippetViewSet):
    """Views for a model with one row for each site."""

    index_view_class = SettingIndexView
    index_template_name = "studio/site_settings.html"
    edit_view_class = SettingEditView
    history_view_class = ChangesHistoryView
    copy_view_enabled = False
    inspect_view_enabled = False

    def construct_view(self, view_class: type[Any], **kwargs: Any) -> Any:
        view_class = type(view_class.__name__, (OfOneSite, view_class), {"__module__": view_class.__module__})
        return super().construct_view(view_class, **kwargs)

    def get_common_view_kwargs(self, **kwargs: Any) -> dict[str, Any]:
        common: dict[str, Any] = super().get_common_view_kwargs(**kwargs)
        return common | dict.fromkeys(
            ("index_results_url_name", "add_url_name", "delete_url_name", "usage_url_name"), self.UNDEFINED
        )

    def get_urlpatterns(self) -> list[URLPattern]:
        patterns: list[URLPattern] = super().get_urlpatterns()
        begin_view = self.construct_view(BeginView)
        return [
            *(pattern for pattern in patterns if pattern.name not in _LEFT_OUT),
            path("begin/<str:site>/", begin_view, name="begin"),
        ]


class MenuViewSet(SettingViewSet):
    model = MenuSettings
    icon = "list-ul"
    base_url_path = "menus"
    menu_label = _("Menus")


class FooterViewSet(SettingViewSet):
    model = FooterSettings
    icon = "list-ul"
    base_url_path = "footers"
    menu_label = _("Footers")


class RateCardViewSet(SettingViewSet):
    """Rate cards. The menu item is in ``content.viewsets.company``."""

    model = RateCardSettings
    icon = "table"
    base_url_path = "rate-cards"
    menu_item_is_registered = True


class NavigationViewSetGroup(SnippetViewSetGroup):
    menu_label = _("Navigation")
    menu_icon = "list-ul"
    menu_order = 245
    items = (MenuViewSet, FooterViewSet)


def leave_settings_out(request: HttpRequest, items: list[Any]) -> None:
    """Remove them from the settings menu, because they have their own screens."""
    models = (MenuSettings, FooterSettings, RateCardSettings, InterfaceWords)
    items[:] = [item for item in items if getattr(item, "model", None) not in models]


def send_to_own_screen(request: HttpRequest, row: Any) -> HttpResponse | None:
    """Redirect from Wagtail's settings URLs to the form or the list."""
    viewset = getattr(row, "snippet_viewset", None)
    if viewset is None:
        return None
    begun = row.is_filled() or row.latest_revision_id
    return redirect(reverse(viewset.get_url_name("edit"), args=[row.pk]) if begun else viewset.get_url_name("list"))
