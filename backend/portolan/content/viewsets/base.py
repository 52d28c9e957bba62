"""Define the base of collection lists: sites of an entry, search, filters, and a drag-and-drop order."""

from collections.abc import Iterable
from typing import Any, Final, cast

import django_filters
from django.conf import settings
from django.db.models import Model, QuerySet
from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.functional import cached_property, lazy
from django.utils.html import format_html_join
from django.utils.safestring import SafeString, mark_safe
from django.utils.text import capfirst
from django.utils.translation import gettext, gettext_lazy
from django.utils.translation import gettext_lazy as _
from wagtail import hooks
from wagtail.admin import messages
from wagtail.admin.filters import WagtailFilterSet
from wagtail.admin.ui.tables import Column, UpdatedAtColumn
from wagtail.admin.widgets.button import Button
from wagtail.models import DraftStateMixin, Locale, LockableMixin, RevisionMixin, WorkflowMixin
from wagtail.snippets.views.snippets import EditView, IndexView, InspectView, ReorderView, SnippetViewSet

from ...domain.moments import say_shown
from ...rights.held import has_everywhere, right_on
from ..collections.base import Entry, TranslatedEntry, Translation
from ..countries import list_countries
from ..entry_rights import locales_of, may_change_all, may_publish_some
from ..in_order import NamesInOrder
from ..own_part import publish_own_part
from ..scheduling import name_zone, say_moment_there
from .history import ChangesHistoryView


def country_column() -> Column:
    return Column("country", label=gettext_lazy("Country"), accessor="get_country_display", sort_key="country")


def sites_column() -> Column:
    """Return a column with the sites that have a translation. Sites that inherit from them show the entry too."""
    return Column("sites", label=gettext_lazy("Sites"), accessor=lambda entry: ", ".join(_sites(entry)))


def shown_column() -> Column:
    """Return a column with the times at which an entry is shown, in the company's time zone as in its form."""

    def say(entry: Entry) -> str:
        zone = settings.SITES_REGISTRY.company.time_zone
        return say_shown(entry.go_live_at, entry.expire_at, timezone.now(), zone, say_moment_there, gettext)

    def name() -> str:
        return gettext("Shown ({zone})").format(zone=name_zone(settings.SITES_REGISTRY.company.time_zone))

    return Column("shown", label=lazy(name, str)(), accessor=say)


def updated_column() -> Column:
    return UpdatedAtColumn(label=_("Updated"))


def _sites(entry: TranslatedEntry) -> list[str]:
    return sorted(row.locale.record.key for row in entry.translations.all() if hasattr(row.locale, "record"))


class UsedCountryFilter(django_filters.ChoiceFilter):
    """Offers only countries that entries have."""

    def __init__(self, model: type[Model]) -> None:
        def choices() -> list[tuple[str, str]]:
            codes = model._default_manager.order_by().values_list("country", flat=True).distinct()
            return list_countries(codes)

        super().__init__(field_name="country", label=gettext_lazy("Country"), choices=choices)


class TranslationsFilterSet(WagtailFilterSet):
    """Filters by the sites that have a translation of an entry, or lack one."""

    written = django_filters.ModelChoiceFilter(
        label=_("Translated for"), queryset=lambda request: Locale.objects.all(), method="filter_written"
    )
    unwritten = django_filters.ModelChoiceFilter(
        label=_("Not translated for"), queryset=lambda request: Locale.objects.all(), method="filter_unwritten"
    )

    def filter_written(self, entries: QuerySet[Any], name: str, locale: Locale) -> QuerySet[Any]:
        return entries.filter(pk__in=_with_translation(entries.model, locale))

    def filter_unwritten(self, entries: QuerySet[Any], name: str, locale: Locale) -> QuerySet[Any]:
        without = entries.model.objects.exclude(pk__in=_with_translation(entries.model, locale))
        return entries.filter(pk__in=list(without.values_list("pk", flat=True)))


def _with_translation(model: type[TranslatedEntry], locale: Locale) -> list[int]:
    """Return IDs instead of a subquery, because the studio's search can only be filtered by fields of the entry."""
    return list(model.objects.filter(translations__locale=locale).values_list("pk", flat=True))


class EntryIndexView(NamesInOrder, IndexView):
    """A list that offers only the actions that the person may take."""

    def get_edit_url(self, instance: Model) -> str | None:
        url: str | None = super().get_edit_url(instance)
        return url if url and self.user_has_permission_for_instance("change", instance) else None

    def get_delete_url(self, instance: Model) -> str | None:
        url: str | None = super().get_delete_url(instance)
        return url if url and self.user_has_permission_for_instance("delete", instance) else None

    def get_reorder_url(self) -> str | None:
        url: str | None = super().get_reorder_url()
        return url if url and has_everywhere(self.request.user, right_on(self.model, "publish")) else None


class EntryReorderView(ReorderView):
    """Save every entry that moved. Wagtail saves only the dragged one, without signals for the others, so a release
    would lack their new positions."""

    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        before = dict(self.get_queryset().values_list("pk", "sort_order"))
        reply: HttpResponse = super().post(request, *args, **kwargs)
        for entry in self.get_queryset():
            if entry.sort_order != before[entry.pk]:
                entry.save(update_fields=["sort_order"])
        return reply


_NOT_CONTENT: Final = {"id", "sort_order"} | {
    field.name
    for mixin in (DraftStateMixin, LockableMixin, RevisionMixin, WorkflowMixin)
    for field in mixin._meta.local_fields
}


class EntryInspectView(InspectView):
    """Shows the shared fields of an entry that have a value, without internal fields."""

    def get_fields(self) -> list[str]:
        return [name for name in super().get_fields() if name not in _NOT_CONTENT]

    def get_fields_context(self) -> list[dict[str, Any]]:
        says = [name for name in self.fields if getattr(self.object, name, None) not in (None, "", [])]
        return [self.get_context_for_field(name) for name in says]

    def get_field_display_value(self, field_name: str, field: Any) -> Any:
        value = super().get_field_display_value(field_name, field)
        return ", ".join(map(str, value)) if isinstance(value, list) else value


class TranslatedInspectView(EntryInspectView):
    """Shows an entry's shared fields, and its translations by site."""

    def get_fields_context(self) -> list[dict[str, Any]]:
        rows = self.object.translations.select_related("locale")
        translations = [{"label": str(row.locale), "value": _read(row), "component": None} for row in rows]
        return [*super().get_fields_context(), *translations]


def _read(translation: Translation) -> SafeString:
    fields = [field for field in translation._meta.fields if not (field.primary_key or field.is_relation)]
    values = [(field.verbose_name, getattr(translation, field.name)) for field in fields]
    lines = [
        (capfirst(name), ", ".join(value) if isinstance(value, list) else value) for name, value in values if value
    ]
    return format_html_join(mark_safe("<br>"), "{}: {}", lines)


class EntryEditView(EditView):
    """A form with buttons in the header's menu, for which Wagtail has no hook. Publishing is limited to the person's
    sites."""

    def get_available_actions(self) -> list[str]:
        actions: list[str] = super().get_available_actions()
        return [action for action in actions if action != "publish" or may_publish_some(self.request.user, self.object)]

    def publish_action(self) -> HttpResponse | None:
        locales = _own_locales(self.request.user, self.live_object)
        if locales is None:
            published: HttpResponse | None = super().publish_action()
            return published
        if (reply := self.run_hook("before_publish", self.request, self.object)) is not None:
            return cast(HttpResponse, reply)
        if left := publish_own_part(self.new_revision, locales, self.request.user):
            said = gettext("Changes by others stay a draft until an editor publishes the entry for all sites: %s.")
            messages.info(self.request, said % left)
        return cast("HttpResponse | None", self.run_hook("after_publish", self.request, self.object))

    @cached_property
    def header_more_buttons(self) -> list[Button]:
        found = (hook(self.object) for hook in hooks.get_hooks("register_entry_header_buttons"))
        return [*super().header_more_buttons, *(button for buttons in found for button in buttons)]


def _own_locales(user: Any, entry: Model) -> frozenset[int] | None:
    """Return the locales that this person may publish; None for all."""
    if not hasattr(entry, "translations") or may_change_all(user, entry, "publish"):
        return None
    return locales_of(user, type(entry), "publish")


class EntryViewSet(SnippetViewSet):
    """The screens of one collection in the studio."""

    edit_view_class = EntryEditView

    ordering = "sort_order"
    list_per_page = 50
    inspect_view_enabled = True
    inspect_view_class = EntryInspectView
    copy_view_enabled = False  # the copy would lack the translations, and its key must differ
    index_view_class = EntryIndexView
    reorder_view_class = EntryReorderView
    history_view_class = ChangesHistoryView
    prefetch: Iterable[str] = ()
    """Relations that the columns read."""

    def get_queryset(self, request: HttpRequest) -> QuerySet[Entry]:
        model: type[Entry] = self.model
        return model.objects.prefetch_related(*self.prefetch)


class TranslatedViewSet(EntryViewSet):
    inspect_view_class = TranslatedInspectView
    prefetch: Iterable[str] = ("translations__locale__record",)
