"""The screen of one translation: its state, the changes of its source, and the actions."""

from collections.abc import Mapping
from typing import Any, Final, NamedTuple
from uuid import UUID

from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.urls import URLPattern, path, reverse
from django.utils.html import strip_tags
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from wagtail.admin.compare import diff_text
from wagtail.models import Page

from ...content.fallbacks import NEVER
from ...content.may import sites_where
from ...domain.roles import Action
from ...translations.matrix import Row, read_rows
from ...translations.models import Translation
from ...translations.segments import read_segments
from ...translations.sources import find_text
from ...translations.states import find_changes
from ..changes.rights import person
from ..site_names import site_name
from . import by_machine, changing, fallbacks, glossary, importing, screen, side_by_side
from .rights import list_people, seen_sites


class ShownChange(NamedTuple):
    label: str
    html: SafeString
    """The source's text with removed and added words marked."""


def show_translation(request: HttpRequest, key: UUID, site: str) -> HttpResponse:
    user = person(request)
    if site not in seen_sites(user):
        raise PermissionDenied
    row = find_row(key, [site])
    if row is None or site not in row.cells:
        raise Http404(_("The original of this page is not published."))
    cell = screen.show_cell(row, row.cells[site], user, dict(list_people()))
    title = cell.cell.title or row.title
    context = {
        "header_title": f"{title} ({site_name(site)})",
        "header_icon": "globe",
        "breadcrumbs_items": [
            {"url": reverse("studio_translations"), "label": _("Translations")},
            {"url": "", "label": f"{title} ({site_name(site)})"},
        ],
        "row": row,
        "shown": cell,
        "site": site_name(site),
        "source_site": site_name(row.site),
        "source_url": reverse("wagtailadmin_pages:edit", args=[row.page_id]) if may_open(user, row.site) else "",
        "changes": list_changes(key, site),
        "is_base_known": Translation.objects.filter(translation_key=key, site=site, base__isnull=False).exists(),
        "is_machine_offered": by_machine.is_offered(),
        "may_create": cell.cell.page_id is None and site in sites_where(user, Action.EDIT),
        "people": list_people(),
        "original": fallbacks.choice_of(key, site),
        "may_choose": site in sites_where(user, Action.PUBLISH) and row.page_type not in NEVER,
        "here": request.get_full_path(),
    }
    return TemplateResponse(request, "studio/translations/details.html", context)


def find_row(key: UUID, sites: list[str]) -> Row | None:
    return next(iter(read_rows(sites, key)), None)


def may_open(user: Any, site: str) -> bool:
    return site in sites_where(user, Action.SEE)


def list_changes(key: UUID, site: str) -> list[ShownChange]:
    """Return the changes of the source since the translation; empty if there are none or the base is unknown."""
    record = Translation.objects.filter(translation_key=key, site=site).select_related("base").first()
    source = find_text(key, site)
    if record is None or record.base is None or source is None or record.base_id == source.text_id:
        return []
    labels = _labels(source.page)
    return [
        ShownChange(
            labels.get(change.path) or _("Removed text"),
            diff_text(strip_tags(change.before), strip_tags(change.after)).to_html(),
        )
        for change in find_changes(record.base.segments, source.text.segments)
    ]


def _labels(page: Page) -> Mapping[str, str]:
    return {segment.path: segment.label for segment in read_segments(page.specific)}


URLS: Final[list[URLPattern]] = [
    path("translations/", screen.show_translations, name="studio_translations"),
    path("translations/csv/", screen.export_translations, name="studio_translations_export"),
    *glossary.URLS,
    path("translations/change/", changing.change_translations, name="studio_translations_change"),
    path("translations/original/", fallbacks.choose_for_pages, name="studio_translations_original"),
    path("translations/without/", fallbacks.show_fallbacks, name="studio_fallbacks"),
    path("translations/import/", importing.import_translations, name="studio_translations_import"),
    path("translations/import/<int:id>/", importing.check_import, name="studio_translations_import_check"),
    path("translations/machine/", by_machine.translate_by_machine, name="studio_translations_machine"),
    path("translations/create/", changing.create_translation, name="studio_translations_create"),
    path("translations/<uuid:key>/<slug:site>/", show_translation, name="studio_translation"),
    path("translations/<uuid:key>/<slug:site>/edit/", side_by_side.edit_side_by_side, name="studio_translate"),
]
