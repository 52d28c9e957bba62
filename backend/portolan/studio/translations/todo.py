"""The user's translations on the dashboard: assigned ones first, then outdated ones of the user's sites."""

from collections.abc import Collection
from datetime import UTC, date, datetime
from typing import Any, Final, NamedTuple

from wagtail.models import Page

from ...content.may import sites_where
from ...content.site_records import load_site_roots
from ...domain.roles import Action
from ...translations.matrix import read_rows
from ...translations.sources import source_sites
from ...translations.states import State
from ..site_names import site_name
from .find import ME
from .moves import ShownMove, list_moves
from .screen import ShownCell, filtered_url, show_cell

_MOST: Final = 5
_NEVER: Final = datetime.min.replace(tzinfo=UTC)


class Task(NamedTuple):
    title: str
    site: str
    shown: ShownCell
    is_mine: bool


class Todo(NamedTuple):
    tasks: list[Task]
    mine: int
    outdated: int
    missing: int
    mine_url: str
    outdated_url: str
    missing_url: str
    moves: list[ShownMove]
    preparing: list[tuple[str, str]]
    """Keys and names of sites that have been started, but not launched."""


def list_todo(user: Any, sites: Collection[str]) -> Todo | None:
    """Return the tasks on ``sites``; None if the user translates elsewhere only."""
    own = [site for site in source_sites() if site in sites and site in sites_where(user, Action.TRANSLATE)]
    if not own:
        return None
    cells = [(row, cell) for row in read_rows(own) for cell in row.cells.values()]
    mine = [(row, cell) for row, cell in cells if cell.assignee_id == user.pk and cell.state is State.IN_PROGRESS]
    outdated = [(row, cell) for row, cell in cells if cell.state is State.OUTDATED]
    mine.sort(key=lambda one: one[1].due or date.max)
    outdated.sort(key=lambda one: one[1].since or _NEVER, reverse=True)
    shown = [*mine, *outdated][:_MOST]
    site = own[0] if len(own) == 1 else ""
    return Todo(
        tasks=[
            Task(
                cell.title or row.title,
                site_name(cell.site),
                show_cell(row, cell, user, {}),
                cell.assignee_id == user.pk,
            )
            for row, cell in shown
        ],
        mine=len(mine),
        outdated=len(outdated),
        missing=sum(cell.state is State.MISSING for _, cell in cells),
        mine_url=filtered_url(assigned=ME),
        outdated_url=filtered_url(state=State.OUTDATED, site=site),
        missing_url=filtered_url(state=State.MISSING, site=site),
        moves=list_moves(user, own),
        preparing=_find_preparing(own),
    )


def _find_preparing(sites: list[str]) -> list[tuple[str, str]]:
    homes = {root.root_page_id: key for key, root in load_site_roots().items() if key in sites}
    drafts = Page.objects.filter(pk__in=homes, live=False).values_list("pk", flat=True)
    return [(homes[id], site_name(homes[id])) for id in drafts]
