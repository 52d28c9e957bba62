"""Publish only a person's own translations of an entry's draft. Other changes stay a draft."""

from collections.abc import Collection
from typing import Any

from django.db import transaction
from modelcluster.fields import ParentalKey
from modelcluster.models import get_serializable_data_for_fields
from wagtail.models import Revision

from .what_changed import say_changes


def publish_own_part(draft: Revision, locales: Collection[int], user: Any) -> str:
    """Publish the translations for ``locales``. Return the names of fields that stay a draft; empty if there are
    none."""
    with transaction.atomic():
        whole = draft.as_object()
        entry = type(whole)._default_manager.get(pk=whole.pk)
        _take_translations(entry, whole, locales)
        left = say_changes(type(whole), entry.serializable_data(), whole.serializable_data())
        entry.save_revision(user=user, clean=False).publish(user=user, skip_permission_checks=True)
        if left:
            rest, live = draft.as_object(), type(whole)._default_manager.get(pk=whole.pk)
            _take_translations(rest, live, locales)
            rest.save_revision(user=user, clean=False)
    return left


def changed_locales(live: Any, draft: Any) -> frozenset[int] | None:
    """Return the locales of the translations that differ between draft and live; None if other fields differ too."""
    if not live.live:
        return None
    before, after = _texts_of(live), _texts_of(draft)
    changed = frozenset(locale for locale in {**before, **after} if before.get(locale) != after.get(locale))
    rest = [
        {name: said for name, said in each.serializable_data().items() if name != "translations"}
        for each in (live, draft)
    ]
    return None if say_changes(type(live), *rest) else changed


def _texts_of(entry: Any) -> dict[int, Any]:
    """Return the values of each translation, by its locale."""
    rows = list(entry.translations.all())
    row_model = entry._meta.get_field("translations").related_model
    of_the_row = {
        "pk",
        *(field.name for field in row_model._meta.fields if field.primary_key or isinstance(field, ParentalKey)),
    }
    return {
        row.locale_id: {
            name: said for name, said in get_serializable_data_for_fields(row).items() if name not in of_the_row
        }
        for row in rows
    }


def _take_translations(entry: Any, other: Any, locales: Collection[int]) -> None:
    """Take the other entry's translations for ``locales``. They keep their rows, because a site has one row per
    entry."""
    rows = {row.locale_id: row.pk for row in entry.translations.all()}
    kept = [row for row in entry.translations.all() if row.locale_id not in locales]
    taken = [row for row in other.translations.all() if row.locale_id in locales]
    for row in taken:
        row.pk = row.pk or rows.get(row.locale_id)
    entry.translations.set([*kept, *taken])
