"""The overview of translations: a row for each source page, a column for each site."""

from collections.abc import Iterable, Iterator
from typing import Any, Final, NamedTuple

from django.conf import settings
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse, QueryDict
from django.template.response import TemplateResponse
from django.urls import reverse, reverse_lazy
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from wagtail.admin.menu import MenuItem
from wagtail.admin.paginator import WagtailPaginator

from ...content.may import sites_where
from ...domain.csv_files import write_csv
from ...domain.roles import Action
from ...translations.matrix import Cell, Row, read_rows
from ...translations.models import MoveOffer
from ...translations.states import State
from ..changes.rights import person
from ..site_names import site_name
from .find import TranslationFilter, count_states
from .rights import list_people, seen_sites
from .words import page_type_choices, say_label, say_words

_ON_A_PAGE: Final = 50


class ShownCell(NamedTuple):
    cell: Cell
    site_name: str
    label: str
    url: str
    """The side-by-side editor; the form of a live copy; the screen of the translation if there is no page, or if the
    person may not edit it."""
    details_url: str
    words: str
    assignee: str
    is_overdue: bool
    may_change: bool
    has_moved: bool
    """True if the original has moved, and the site's editors have not decided."""
    is_match: bool
    """False if the filter is for another state or person."""


class ShownRow(NamedTuple):
    row: Row
    url: str
    """Form of the source page; empty if the person does not see it."""
    source: str
    """Name of the site if it is not the site of most rows; else empty."""
    page_type: str
    words: str
    cells: list[ShownCell | None]
    """In the order of the columns; None if the site's source has no such page."""


class Column(NamedTuple):
    site: str
    name: str
    counts: list[Any]


def show_translations(request: HttpRequest) -> HttpResponse:
    user = person(request)
    sites = seen_sites(user)
    if not sites:
        raise PermissionDenied
    form = TranslationFilter(request.GET, sites)
    found = form.choose(read_rows(sites), user)
    shown = [site for site in sites if not form.wanted.get("site") or site == form.wanted["site"]]
    paginator = WagtailPaginator(found, _ON_A_PAGE)
    page = paginator.get_page(request.GET.get("p"))
    counts = count_states(found, shown)
    changeable = sites_where(user, Action.TRANSLATE)
    query = request.GET.copy()
    query.pop("p", None)
    context = {
        "header_title": _("Translations"),
        "header_icon": "globe",
        "breadcrumbs_items": [{"url": "", "label": _("Translations")}],
        "form": form,
        "is_filtering": form.is_filtering(),
        "columns": [Column(site, site_name(site), counts[site]) for site in shown],
        "rows": list(_show_rows(page, shown, user, form)),
        "may_change": not changeable.isdisjoint(shown),
        "may_publish": not sites_where(user, Action.PUBLISH).isdisjoint(shown),
        "is_machine_offered": bool(settings.MACHINE_TRANSLATION),
        "people": list_people(),
        "here": request.get_full_path(),
        "export_url": f"{reverse('studio_translations_export')}?{query.urlencode()}",
        "page_obj": page,
        "elided_page_range": paginator.get_elided_page_range(page.number),
    }
    return TemplateResponse(request, "studio/translations/overview.html", context)


def export_translations(request: HttpRequest) -> HttpResponse:
    """Return the filtered translations as CSV, one line for each."""
    user = person(request)
    sites = seen_sites(user)
    if not sites:
        raise PermissionDenied
    form = TranslationFilter(request.GET, sites)
    lines = _write_lines(form.choose(read_rows(sites), user), form, request)
    reply = HttpResponse(write_csv(lines), content_type="text/csv; charset=utf-8")
    reply["Content-Disposition"] = f'attachment; filename="translations-{timezone.now():%Y-%m-%d}.csv"'
    reply["Cache-Control"] = "no-store"
    return reply


def _write_lines(rows: Iterable[Row], form: TranslationFilter, request: HttpRequest) -> Iterator[list[object]]:
    yield [
        _("Page"), _("Page type"), _("Original"), _("Site"), _("Translation"), _("State"), _("Words"), _("Outdated since"),
        _("Assigned to"), _("Due"), _("URL"),
    ]  # fmt: skip
    people, types = dict(list_people()), dict(page_type_choices())
    for row in rows:
        for cell in row.cells.values():
            if form.matches(cell, person(request)):
                yield [
                    row.title,
                    types.get(row.page_type, row.page_type),
                    site_name(row.site),
                    site_name(cell.site),
                    cell.title,
                    say_label(cell),
                    cell.words,
                    timezone.localtime(cell.since).strftime("%Y-%m-%d %H:%M") if cell.since else "",
                    people.get(cell.assignee_id or 0, ""),
                    cell.due.isoformat() if cell.due else "",
                    request.build_absolute_uri(page_url(row, cell)),
                ]


def page_url(row: Row, cell: Cell) -> str:
    """Return the URL of the editor; of the form for a live copy; of the translation's screen if there is no page."""
    if cell.page_id is None:
        return details_url(row, cell.site)
    if cell.follows:
        return reverse("wagtailadmin_pages:edit", args=[cell.page_id])
    return reverse("studio_translate", args=[row.key, cell.site])


def details_url(row: Row, site: str) -> str:
    return reverse("studio_translation", args=[row.key, site])


def filtered_url(**filters: str) -> str:
    query = QueryDict(mutable=True)
    query.update(filters)
    return f"{reverse('studio_translations')}?{query.urlencode()}"


def _show_rows(rows: Iterable[Row], sites: list[str], user: Any, form: TranslationFilter) -> Iterator[ShownRow]:
    seen = sites_where(user, Action.SEE)
    people, types = dict(list_people()), dict(page_type_choices())
    main = next(iter(rows), None)
    moved = set(MoveOffer.objects.filter(site__in=sites).values_list("translation_key", "site"))
    for row in rows:
        cells = [
            show_cell(row, row.cells[site], user, people, form.matches(row.cells[site], user), (row.key, site) in moved)
            if site in row.cells
            else None
            for site in sites
        ]
        yield ShownRow(
            row=row,
            url=reverse("wagtailadmin_pages:edit", args=[row.page_id]) if row.site in seen else "",
            source=site_name(row.site) if main and row.site != main.site else "",
            page_type=types.get(row.page_type, row.page_type),
            words=say_words(row.words),
            cells=cells,
        )


def show_cell(
    row: Row, cell: Cell, user: Any, people: dict[int, str], is_match: bool = True, has_moved: bool = False
) -> ShownCell:
    may_change = cell.site in sites_where(user, Action.TRANSLATE)
    details = details_url(row, cell.site)
    return ShownCell(
        cell=cell,
        site_name=site_name(cell.site),
        label=say_label(cell),
        url=page_url(row, cell) if may_change else details,
        details_url=details,
        words=say_words(cell.words) if cell.words else "",
        assignee=people.get(cell.assignee_id or 0, ""),
        is_overdue=bool(cell.due and cell.due < timezone.localdate() and cell.state is not State.CURRENT),
        may_change=may_change,
        has_moved=has_moved,
        is_match=is_match,
    )


class TranslationsItem(MenuItem):
    def __init__(self) -> None:
        super().__init__(
            gettext_lazy("Translations"),
            reverse_lazy("studio_translations"),
            name="translations",
            icon_name="globe",
            order=140,
        )

    def is_shown(self, request: HttpRequest) -> bool:
        return bool(seen_sites(person(request)))
