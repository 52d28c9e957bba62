"""Publishes of an entry's draft what is one person's to publish, its translations for some sites. What others have changed in it
stays a draft."""

from collections.abc import Collection
from typing import Any

from django.db import transaction
from wagtail.models import Revision

from .what_changed import say_changes


def publish_own_part(draft: Revision, locales: Collection[int], user: Any) -> str:
    """``locales``: those of the translations. Returns what stays a draft, by the names of its fields; empty if nothing does."""
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


def _take_translations(entry: Any, other: Any, locales: Collection[int]) -> None:
    """Those of ``locales`` become the other's. They stay the rows that they were: of an entry a site has one."""
    rows = {row.locale_id: row.pk for row in entry.translations.all()}
    kept = [row for row in entry.translations.all() if row.locale_id not in locales]
    taken = [row for row in other.translations.all() if row.locale_id in locales]
    for row in taken:
        row.pk = row.pk or rows.get(row.locale_id)
    entry.translations.set([*kept, *taken])
