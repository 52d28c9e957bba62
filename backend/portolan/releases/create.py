"""Create releases: changes since the last release become items of the next one.

Reading and exporting may take long and hold no lock; the one transaction that writes is short. If two processes create
a release at once, both use the same number. The slower one fails and starts again from the new state.
"""

import hashlib
import json
from collections import Counter
from collections.abc import Callable, Collection, Iterable
from datetime import date
from itertools import groupby
from typing import Any, Final, NamedTuple, TypeVar

import orjson
from django.conf import settings
from django.db import IntegrityError, transaction
from django.db.models import Max

from ..content.entered import entered_keys, export_entered
from ..content.export import all_item_keys, export_batch
from ..content.items import ItemKey
from ..domain.problems import pack_all
from .author import LONGEST_NAME, name_authors
from .connection import run
from .entered import keep_entered
from .figures import FIGURES_KEY, build_figures
from .formats import NewerFormat, current_format, lower_body, raise_body
from .ids import ItemId
from .index import chunks, write_index
from .linking import find_linking_items
from .models import PendingChange, Release, ReleaseItem

_Value = TypeVar("_Value")
_ATTEMPTS: Final = 10
_ROWS_PER_STATEMENT: Final = 500  # old builds of SQLite accept 999 parameters
_LONGEST_NOTE: Final = 200
_WIDE: Final = 500
"""From this number of keys on, reading all current rows is cheaper than selecting some."""


class _Current(NamedTuple):
    row: int
    digest: str
    format: int


class _Plan(NamedTuple):
    """The rows that a release would write."""

    insert: list[ReleaseItem]
    close: list[int]
    keys: set[ItemKey]
    """Keys of all items that differ."""
    added: int
    changed: int
    removed: int


def create_release(
    by: str,
    today: date,
    full: bool = False,
    chosen: Callable[[ItemKey], bool] = lambda key: True,
    only: Collection[int] | None = None,
    note: str = "",
) -> Release | None:
    """Create a release of the pending changes. Return None if all content is already in the last release, or missing.

    With ``full``, or for the first release, it includes all content for which ``chosen`` is true. The authors are the
    editors of its changes, else ``by``. A page that cannot be exported keeps its last good state, and its
    ``PendingChange`` stays, with its problems.

    ``only``: include only these pending changes (by ID). ``note``: a text about the release.
    """
    for _ in range(_ATTEMPTS):
        number = (Release.objects.aggregate(number=Max("number"))["number"] or 0) + 1
        try:
            return _create(number, by, today, chosen if full or number == 1 else None, only, note)
        except IntegrityError as error:
            overtaken = error
    raise overtaken


def count_stale() -> Counter[str]:
    """Count, by kind, items that differ from the newest release although no editor has changed them.

    A newer version exports more items, or other bodies. Blocked items are not counted.
    """
    noted = {ItemKey(*row) for row in PendingChange.objects.values_list("site", "kind", "key")}
    current = _read_current(None)
    keys = (all_item_keys() | {*current}) - noted - {FIGURES_KEY}
    plan = _plan(0, dict(export_batch(keys).bodies), current)
    return Counter(key.kind for key in plan.keys)


def snapshot(body: Any) -> bytes:
    """Return the bytes of an item's body: equal content gives equal bytes."""
    return json.dumps(body, ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode()


def _create(
    number: int,
    by: str,
    today: date,
    also: Callable[[ItemKey], bool] | None,
    only: Collection[int] | None,
    note: str,
) -> Release | None:
    pending = [row for row in PendingChange.objects.order_by("pk") if only is None or row.pk in only]
    keys = {ItemKey(row.site, row.kind, row.key) for row in pending}
    if also:
        keys |= set(filter(also, all_item_keys() | {*_read_current(None)}))
    keys.discard(FIGURES_KEY)
    exported = export_batch(keys)
    problems = {key: pack_all(found) for key, found in exported.problems.items()}
    bodies: dict[ItemKey, Any] = dict(exported.bodies)
    if not also and (linking := find_linking_items(bodies) - problems.keys()):
        bodies |= export_batch(linking).bodies  # an item with a problem of its own stays the same
    bodies[FIGURES_KEY] = build_figures(settings.SITES_REGISTRY, today)
    plan = _plan(number, bodies, _read_current(None if len(bodies) > _WIDE else bodies))
    if not (plan.insert or plan.close or pending or problems):
        return None
    entered = export_entered({key for found in entered_keys(plan.keys).values() for key in found})
    with transaction.atomic():
        release = _write(number, _name_authors(pending, plan) or by, plan, note)
        if release:
            write_index(run, number, {ItemId(*key): bodies[key] for key in plan.keys})
            keep_entered(number, entered)
        _settle(pending, problems)
    return release


def _name_authors(pending: Iterable[PendingChange], plan: _Plan) -> str:
    return name_authors(row.by for row in pending if ItemKey(row.site, row.kind, row.key) in plan.keys)


def _read_current(keys: Iterable[ItemKey] | None) -> dict[ItemKey, _Current]:
    """Return the current rows of ``keys``, or of all items."""
    valid = ReleaseItem.objects.filter(until=None).values_list("site", "kind", "key", "pk", "digest", "format")
    if keys is None:
        return {ItemKey(*row[:3]): _current(*row) for row in valid.iterator()}
    current = {}
    for (site, kind), group in groupby(sorted(keys), key=lambda key: key[:2]):
        for some in chunks(group, _ROWS_PER_STATEMENT):
            for row in valid.filter(site=site, kind=kind, key__in=[item.key for item in some]):
                current[ItemKey(*row[:3])] = _current(*row)
    return current


def _current(site: str, kind: str, key: str, row: int, digest: str, format: int) -> _Current:
    if format > current_format(kind):
        raise NewerFormat(kind, format)
    return _Current(row, digest, format)


def _is_same(old: _Current, kind: str, digest: str) -> bool:
    """Return whether a body equals the stored one. An old format also counts as equal if its migration gives the same
    body.

    So a release contains only editors' changes.
    """
    if old.digest == digest:
        return True
    if old.format == current_format(kind):
        return False
    body = ReleaseItem.objects.values_list("body", flat=True).get(pk=old.row)
    return digest_body(orjson.loads(raise_body(kind, old.format, bytes(body)))) == digest


def _plan(number: int, bodies: dict[ItemKey, Any], current: dict[ItemKey, _Current]) -> _Plan:
    insert: list[ReleaseItem] = []
    close: list[int] = []
    keys: set[ItemKey] = set()
    added = changed = removed = 0
    for key, body in bodies.items():
        old = current.get(key)
        if body is None:
            if old is not None:
                close.append(old.row)
                keys.add(key)
                removed += 1
            continue
        digest = digest_body(body)
        if old is None:
            added += 1
        elif not _is_same(old, key.kind, digest):
            close.append(old.row)
            changed += 1
        else:
            continue
        format, stored = lower_body(key.kind, body)
        insert.append(ReleaseItem(**key._asdict(), format=format, digest=digest, body=snapshot(stored), since=number))
        keys.add(key)
    return _Plan(insert, close, keys, added, changed, removed)


def digest_body(body: Any) -> str:
    """Return the digest of a body without the time of its last publish.

    So a page that is published again without a change keeps the time of its last change, which sitemaps contain.
    """
    if "changed" in body:
        body = {name: value for name, value in body.items() if name != "changed"}
    return hashlib.sha256(snapshot(body)).hexdigest()[:32]


def _write(number: int, by: str, plan: _Plan, note: str) -> Release | None:
    if not (plan.insert or plan.close) or (number == 1 and plan.keys == {FIGURES_KEY}):
        return None
    release = Release(
        number=number,
        created_by=by[:LONGEST_NAME],
        note=note[:_LONGEST_NOTE],
        added=plan.added,
        changed=plan.changed,
        removed=plan.removed,
    )
    release.save(force_insert=True)  # fails if another process took the number: the comparison is out of date then
    for rows in chunks(plan.close, _ROWS_PER_STATEMENT):
        ReleaseItem.objects.filter(pk__in=rows).update(until=number)
    ReleaseItem.objects.bulk_create(plan.insert, batch_size=_ROWS_PER_STATEMENT)
    return release


def _settle(pending: list[PendingChange], problems: dict[ItemKey, str]) -> None:
    """Remove handled changes, by their IDs: a change noted meanwhile may have an ID lower than the highest."""
    waiting: dict[tuple[ItemKey, str], PendingChange] = {}
    done = []
    for row in pending:
        key = ItemKey(row.site, row.kind, row.key)
        if key in problems and (key, row.by) not in waiting:
            waiting[key, row.by] = row
        else:
            done.append(row.pk)
    for rows in chunks(done, _ROWS_PER_STATEMENT):
        PendingChange.objects.filter(pk__in=rows).delete()
    for (key, _), row in waiting.items():
        if row.problem != problems[key]:
            PendingChange.objects.filter(pk=row.pk).update(problem=problems[key])
    for key in problems.keys() - {key for key, _ in waiting}:
        PendingChange.objects.create(**key._asdict(), problem=problems[key])
