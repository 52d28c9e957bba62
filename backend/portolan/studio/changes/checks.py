"""Find the changes and problems of a change set by a rehearsal. Results are cached until something changes."""

from collections.abc import Iterable
from hashlib import sha256
from typing import Any, Final, NamedTuple

import orjson
from django.core.cache import cache
from django.utils.translation import get_language

from ...content.change_sets.holding import standings
from ...content.change_sets.models import ChangeSet
from ...content.items import ItemKey
from ...delivery_status.status import Pair
from ...domain.problems import Problem
from ...releases.change_sets import Rehearsal, rehearse
from ...releases.connection import connected_reader
from ...releases.create import digest_body
from ...releases.diff import compare_items
from ...releases.reader import Item
from ..checks.draft_check import check_together

_KEPT_S: Final = 600
_QUICK: Final = 12
"""The most items to check while the editor waits for the screen."""


class Checked(NamedTuple):
    changes: list[Pair]
    """Items that would differ from the newest release."""
    problems: list[Problem]
    refused: dict[int, str]
    """Reasons why an item cannot be published, by its ID."""


def check(change_set: ChangeSet) -> Checked:
    """Return the result of the check. A new check of a hundred items takes seconds."""
    newest = connected_reader().latest() or 0
    key = _key(change_set, newest)
    if (known := cache.get(key)) is not None:
        return Checked(*known)
    return _look(change_set, newest, key)


def check_if_quick(change_set: ChangeSet) -> Checked | None:
    """Return the result if it is cached or quick to find; else ``None``."""
    newest = connected_reader().latest() or 0
    key = _key(change_set, newest)
    if (known := cache.get(key)) is not None:
        return Checked(*known)
    return _look(change_set, newest, key) if change_set.items.count() <= _QUICK else None


def _look(change_set: ChangeSet, newest: int, key: str) -> Checked:
    rehearsal = rehearse(change_set)
    found = Checked(_compare(rehearsal, newest), find_problems(rehearsal), rehearsal.refused)
    cache.set(key, tuple(found), _KEPT_S)
    return found


def find_problems(rehearsal: Rehearsal) -> list[Problem]:
    """Return the problems that keep the change set from going live: of the snapshot, and of the publish checks."""
    return [*rehearsal.problems, *check_together(rehearsal.bodies)]


def _compare(rehearsal: Rehearsal, newest: int) -> list[Pair]:
    known = _read(newest, rehearsal.bodies)
    changes = []
    for key in sorted(rehearsal.bodies):
        before, after = known.get(key), _item(key, rehearsal.bodies[key])
        if before is None and after is None:
            continue
        if before and after and (before.digest == after.digest):
            continue
        change = compare_items(before, after)
        if change.change != "changed" or any(field.field != "changed" for field in change.fields):
            changes.append((before, after))
    return changes


def _read(release: int, keys: Iterable[ItemKey]) -> dict[ItemKey, Item]:
    """Return the items as a release has them, with one or two queries for each site and kind."""
    reader = connected_reader()
    wanted: dict[tuple[str, str], list[str]] = {}
    for key in keys:
        wanted.setdefault((key.site, key.kind), []).append(key.key)
    found = (item for (site, kind), some in wanted.items() for item in reader.some_items(release, site, kind, some))
    return {ItemKey(item.site, item.kind, item.key): item for item in found}


def _item(key: ItemKey, body: Any) -> Item | None:
    return None if body is None else Item(*key, digest=digest_body(body), body=orjson.dumps(body))


def _key(change_set: ChangeSet, newest: int) -> str:
    items = list(change_set.items.all())
    now = standings(items)
    said = repr(
        [(row.pk, row.what, row.below, row.approved, row.base, now.get(row.pk)) for row in items] + [get_language()]
    )
    return f"portolan.change_set.{change_set.pk}.{newest}.{sha256(said.encode()).hexdigest()[:32]}"
