"""Filter the overview of translations, and count its states."""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from typing import Any, Final, NamedTuple

from django import forms
from django.contrib.auth.models import AbstractBaseUser
from django.utils.functional import Promise
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from ...translations.matrix import Cell, Row
from ...translations.states import State
from ..site_names import site_name
from .rights import list_people
from .words import STATES, page_type_choices, say_words

ME: Final = "me"
NOBODY: Final = "nobody"


class TranslationFilter(forms.Form):
    """Filters the overview. An invalid filter is ignored, and the form shows the error."""

    use_required_attribute = False

    q = forms.CharField(label=_("Title"), required=False, max_length=120)
    site = forms.ChoiceField(label=_("Site"), required=False)
    state = forms.ChoiceField(
        label=_("State"), required=False, choices=lambda: [("", gettext("All states")), *STATES.items()]
    )
    type = forms.ChoiceField(
        label=_("Page type"), required=False, choices=lambda: [("", gettext("All page types")), *page_type_choices()]
    )
    assigned = forms.ChoiceField(label=_("Assigned to"), required=False)

    def __init__(self, data: Any, sites: Iterable[str]) -> None:
        super().__init__(data)
        fields: dict[str, Any] = self.fields
        fields["site"].choices = [("", gettext("All sites")), *((site, site_name(site)) for site in sites)]
        people = [(str(id), name) for id, name in list_people()]
        fields["assigned"].choices = [
            ("", gettext("Anyone")), (ME, gettext("Me")), (NOBODY, gettext("Not assigned")), *people
        ]  # fmt: skip

    @property
    def wanted(self) -> Mapping[str, str]:
        return self.cleaned_data if self.is_valid() else {}

    def is_filtering(self) -> bool:
        return any(self.wanted.values())

    def choose(self, rows: Iterable[Row], user: AbstractBaseUser) -> list[Row]:
        """Return the rows with a matching cell, each with the cells of the chosen site alone."""
        wanted = self.wanted
        site, sought = wanted.get("site"), wanted.get("q", "").casefold()
        found = []
        for row in rows:
            if wanted.get("type") and row.page_type != wanted["type"]:
                continue
            if site:
                row = row._replace(cells={site: row.cells[site]} if site in row.cells else {})
            titles = (row.title, *(cell.title for cell in row.cells.values()))
            if sought and not any(sought in title.casefold() for title in titles):
                continue
            if any(self.matches(cell, user) for cell in row.cells.values()):
                found.append(row)
        return found

    def matches(self, cell: Cell, user: AbstractBaseUser) -> bool:
        """Return whether a cell has the chosen state and person."""
        state, assigned = self.wanted.get("state"), self.wanted.get("assigned")
        if state and cell.state != state:
            return False
        if assigned == NOBODY:
            return cell.assignee_id is None
        return not assigned or cell.assignee_id == (user.pk if assigned == ME else int(assigned))


class Count(NamedTuple):
    """Number of translations in one state on one site, and of words to translate."""

    state: State
    label: Promise
    number: int
    words: str
    """Empty if there are none."""


def count_states(rows: Iterable[Row], sites: Collection[str]) -> Mapping[str, list[Count]]:
    """Return the counts of each site by its states."""
    numbers: Counter[tuple[str, State]] = Counter()
    words: Counter[tuple[str, State]] = Counter()
    for row in rows:
        for site, cell in row.cells.items():
            numbers[site, cell.state] += 1
            words[site, cell.state] += cell.words
    return {
        site: [
            Count(state, label, numbers[site, state], say_words(words[site, state]) if words[site, state] else "")
            for state, label in STATES.items()
            if numbers[site, state]
        ]
        for site in sites
    }
