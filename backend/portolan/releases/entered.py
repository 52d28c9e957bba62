"""Store the values that editors entered next to the items of each release, so that a release can be reverted."""

from collections.abc import Collection, Mapping
from typing import Final

from django.db import transaction
from django.db.models import Q

from ..content.entered import EnteredKey, entered_keys, export_entered
from ..content.items import ItemKey
from .models import EnteredValue, PendingChange, Release, ReleaseItem

UNKNOWN: Final = ""


def keep_entered(release: int, values: Mapping[EnteredKey, str | None]) -> None:
    """Store the values of a release that differ from the stored ones."""
    known = read_entered(values, release)
    changed = {key: value for key, value in values.items() if known.get(key) != value}
    for key, value in changed.items():
        if key in known:
            EnteredValue.objects.filter(model=key.model, key=key.key, until=None).update(until=release)
        if value is not None:
            EnteredValue.objects.create(model=key.model, key=key.key, value=value, since=release)


def read_entered(keys: Collection[EnteredKey], release: int) -> dict[EnteredKey, str]:
    """Return the values at a release. A missing key means that there was no value.

    UNKNOWN: an editor had just changed the value when storing began. Only valid for releases with ``is_known``.
    """
    valid = Q(since__lte=release) & (Q(until=None) | Q(until__gt=release))
    found: dict[EnteredKey, str] = {}
    for model in {key.model for key in keys}:
        names = [key.key for key in keys if key.model == model]
        rows = EnteredValue.objects.filter(valid, model=model, key__in=names)
        found |= {EnteredKey(model, key): value for key, value in rows.values_list("key", "value")}
    return found


def is_known(release: int) -> bool:
    """Return whether stored values cover a release."""
    first = EnteredValue.objects.order_by("since").values_list("since", flat=True).first()
    return first is not None and first <= release


def fill_entered() -> None:
    """Store the current values if none are stored yet, for items as in the newest release. Called after migrations."""
    newest = Release.objects.values_list("number", flat=True).first()
    if newest is None or EnteredValue.objects.exists():
        return
    pending = {ItemKey(*row) for row in PendingChange.objects.values_list("site", "kind", "key")}
    items = {ItemKey(*row) for row in ReleaseItem.objects.filter(until=None).values_list("site", "kind", "key")}
    unsettled = {key for keys in entered_keys(pending).values() for key in keys}
    values = export_entered({key for found in entered_keys(items).values() for key in found})
    with transaction.atomic():
        keep_entered(newest, {**values, **dict.fromkeys(unsettled, UNKNOWN)})
