"""Replace the selected places as drafts of one change set, in one transaction. Invalid results are skipped."""

from collections.abc import Collection
from typing import Any, Final, NamedTuple

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils.translation import gettext as _

from ...content.change_sets.holding import HeldElsewhere, add
from ...content.change_sets.models import ChangeSet
from ...content.quoted import quoted
from ...content.texts import Way, set_texts
from ...domain.replacing import Replacing, replace
from .find import Found, Thing

LOGGED: Final = "portolan.replaced"
"""Action name in the log for drafts created by find and replace."""


class Applied(NamedTuple):
    places: int
    things: int
    left: list[str]
    """Skipped content and the reason, as sentences."""


def apply(found: Found, ticked: Collection[str], asked: Replacing, change_set: ChangeSet, user: Any) -> Applied:
    places = things = 0
    left: list[str] = []
    known = set[str]()
    with transaction.atomic():
        for thing in [*found.things, *found.others]:
            chosen = {hit.id for hit in thing.hits} & set(ticked)
            known |= chosen
            if not chosen:
                continue
            if reason := thing.obstacle or _replace_in(thing, chosen, asked, change_set, user):
                left.append(f"{quoted(thing.title)}: {reason}")
                continue
            places += len(chosen)
            things += 1
    if len(known) < len(set(ticked)):
        left.append(_("Some places have changed in the meantime and were skipped. Search again."))
    return Applied(places, things, left)


def _replace_in(thing: Thing, chosen: Collection[str], asked: Replacing, change_set: ChangeSet, user: Any) -> str:
    """Replace the places and return an empty text, or return a sentence why not."""
    numbers: dict[Way, set[int]] = {}
    texts = {hit.text.way: hit.text for hit in thing.hits}
    for hit in thing.hits:
        if hit.id in chosen:
            numbers.setdefault(hit.text.way, set()).add(hit.number)
    after = {way: replace(texts[way].value, asked, chosen, texts[way].is_html) for way, chosen in numbers.items()}
    were = _problems_of(thing)
    for way, text in after.items():
        known = texts[way].problems(texts[way].value)
        if new := [problem for problem in texts[way].problems(text) if problem not in known]:
            return f"{texts[way].label}: {new[0]}"
    set_texts(thing.draft, after)
    if new := [problem for problem in _problems_of(thing) if problem not in were]:
        return new[0]
    try:
        with transaction.atomic():
            thing.draft.save_revision(user=user, log_action=LOGGED, clean=False)
            add(change_set, thing.draft, user)
    except HeldElsewhere as error:
        return str(error)
    return ""


def _problems_of(thing: Thing) -> list[str]:
    """Return the draft's problems. Only new problems count, because a draft may have some already."""
    try:
        thing.draft.clean()
    except ValidationError as error:
        return [str(message) for message in error.messages]
    return []
