"""Decide the state of a translation, and find the differences between two texts of its source."""

from collections.abc import Mapping
from datetime import datetime
from enum import StrEnum
from typing import NamedTuple

from .segments import count_words


class State(StrEnum):
    """Used in the studio's HTML and URLs."""

    OUTDATED = "outdated"
    """Visitors see a translation of an earlier text of the source."""
    IN_PROGRESS = "in-progress"
    """An outdated or missing translation that a person is working on."""
    MISSING = "missing"
    EXCLUDED = "excluded"
    """Missing on purpose."""
    CURRENT = "current"


class Facts(NamedTuple):
    """Facts about a translation whose source is published."""

    exists: bool = False
    live: bool = False
    hidden: bool = False
    """True if the page is hidden on its site."""
    follows: bool = False
    """True for a live copy of its source."""
    matches: bool = False
    """True if the translation corresponds to the source's present text."""
    outdated_since: datetime | None = None
    drafted_at: datetime | None = None
    """Time of the newest draft; None if everything is published."""
    is_assigned: bool = False
    is_excluded: bool = False


def state_of(facts: Facts) -> State:
    """Return the state of a translation.

    A draft of an up-to-date translation leaves it current. A draft from before the source's change does not count as
    progress.
    """
    is_shown = facts.live and not facts.hidden
    if is_shown and (facts.follows or facts.matches):
        return State.CURRENT
    if not is_shown and (facts.is_excluded or facts.hidden):
        return State.EXCLUDED
    if facts.is_assigned:
        return State.IN_PROGRESS
    if is_shown:
        drafted, since = facts.drafted_at, facts.outdated_since
        is_newer = drafted is not None and (since is None or drafted >= since)
        return State.IN_PROGRESS if is_newer else State.OUTDATED
    return State.IN_PROGRESS if facts.exists and not facts.follows else State.MISSING


class Change(NamedTuple):
    """A segment of the source before and after a change; empty if it is new or removed."""

    path: str
    before: str
    after: str


def find_changes(before: Mapping[str, str], after: Mapping[str, str]) -> list[Change]:
    """Return the segments that differ: changed and new ones in the order of ``after``, then removed ones."""
    paths = [*after, *(path for path in before if path not in after)]
    changes = (Change(path, before.get(path, ""), after.get(path, "")) for path in paths)
    return [change for change in changes if change.before != change.after]


def count_changed_words(before: Mapping[str, str], after: Mapping[str, str]) -> int:
    """Return the number of words in changed and new segments."""
    return sum(count_words(change.after) for change in find_changes(before, after))
