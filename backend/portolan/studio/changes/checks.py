"""What a change set would change, and what keeps it from going live: found by a rehearsal, kept until something differs."""

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
"""Things of a set that are looked at while somebody waits for its screen."""


class Checked(NamedTuple):
    changes: list[Pair]
    """What visitors would see otherwise than the newest release has it."""
    problems: list[Problem]
    refused: dict[int, str]
    """By item: why it could not be published at all."""


def check(change_set: ChangeSet) -> Checked:
    """Takes seconds for a hundred things, when something differs from the last time."""
    newest = connected_reader().latest() or 0
    key = _key(change_set, newest)
    if (known := cache.get(key)) is not None:
        return Checked(*known)
    return _look(change_set, newest, key)


def check_if_quick(change_set: ChangeSet) -> Checked | None:
    """None for many things of which nobody has looked at the drafts as they are now: then ``check`` takes long."""
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
    """Everything for which it would not be live as a whole: what cannot be frozen, and what the publish checks would say of its pages."""
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
    """What a release has of these items, with a query or two for each site and kind."""
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
