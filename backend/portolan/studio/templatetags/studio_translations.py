"""The state of a page's translations, for its form."""

from typing import Any, NamedTuple

from django import template
from django.urls import reverse
from wagtail.models import Page

from ...content.change_sets.holding import own_sites
from ...content.may import sites_where
from ...domain.roles import Action
from ...translations.matrix import Row
from ...translations.sources import source_sites, translated_sites
from ...translations.states import State
from ..site_names import site_name
from ..translations.details import ShownChange, find_row, list_changes
from ..translations.moves import ShownMove, list_moves
from ..translations.rights import list_people
from ..translations.screen import ShownCell, show_cell

register = template.Library()


class OwnState(NamedTuple):
    """The state of the page as a translation."""

    row: Row
    shown: ShownCell
    source_site: str
    source_url: str
    """Form of the source; empty if the person does not see it."""
    changes: list[ShownChange]

    @property
    def is_behind(self) -> bool:
        """Return whether the page corresponds to an earlier or unknown text of its source."""
        return bool(self.changes) or self.shown.cell.state is State.OUTDATED


class Outdated(NamedTuple):
    name: str
    shown: ShownCell


@register.simple_tag(takes_context=True)
def translation_of(context: Any, page: Any) -> OwnState | None:
    """Return the state of a page that is a translation or a live copy; None for other pages."""
    user, site = context["request"].user, _site_of(page)
    if not site or site not in source_sites():
        return None
    row = find_row(page.translation_key, [site])
    if row is None or site not in row.cells:
        return None
    may_open = row.site in sites_where(user, Action.SEE)
    return OwnState(
        row=row,
        shown=show_cell(row, row.cells[site], user, dict(list_people())),
        source_site=site_name(row.site),
        source_url=reverse("wagtailadmin_pages:edit", args=[row.page_id]) if may_open else "",
        changes=list_changes(page.translation_key, site),
    )


@register.simple_tag(takes_context=True)
def outdated_translations_of(context: Any, page: Any) -> list[Outdated]:
    """Return the outdated translations of a source page on the sites that the person sees."""
    user, site = context["request"].user, _site_of(page)
    sites = [other for other in translated_sites(site) if other in sites_where(user, Action.SEE)] if site else []
    row = find_row(page.translation_key, sites) if sites else None
    if row is None:
        return []
    return [
        Outdated(site_name(key), show_cell(row, cell, user, {}))
        for key, cell in row.cells.items()
        if cell.state is State.OUTDATED or (cell.state is State.IN_PROGRESS and cell.since)
    ]


@register.simple_tag(takes_context=True)
def moves_for(context: Any, page: Any) -> list[ShownMove]:
    """Return the moves of the page's original that are not decided on."""
    site = _site_of(page)
    return list_moves(context["request"].user, [site], page) if site in source_sites() else []


def _site_of(page: Any) -> str:
    is_saved = isinstance(page, Page) and page.pk and page.path
    return next(iter(own_sites(page)), "") if is_saved else ""
