"""The texts of translations' states."""

from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from ...content.page_rows import page_kinds
from ...content.pages import PAGE_TYPES
from ...translations.matrix import Cell
from ...translations.states import State
from ..numbers import say_number

STATES: Final[dict[State, Promise]] = {
    State.OUTDATED: _("Outdated"),
    State.IN_PROGRESS: _("In progress"),
    State.MISSING: _("Missing"),
    State.EXCLUDED: _("Missing on purpose"),
    State.CURRENT: _("Up to date"),
}
"""States that need work come first."""


def page_type_choices() -> list[tuple[str, str]]:
    """Return the types of pages for visitors, by model name."""
    names = {str(one._meta.model_name): str(one._meta.verbose_name) for one in PAGE_TYPES}
    found = [(model, name[:1].upper() + name[1:]) for model, name in names.items() if page_kinds(model)]
    return sorted(found, key=lambda choice: choice[1])


def say_words(words: int) -> str:
    return ngettext("{count} word", "{count} words", words).format(count=say_number(words))


def say_label(cell: Cell) -> str:
    """Return the state's name, with more detail than in filters."""
    if cell.state is State.CURRENT and cell.follows:
        return gettext("Live copy")
    state = str(STATES[cell.state])
    return gettext("{state}, original shown").format(state=state) if cell.shows_original else state
