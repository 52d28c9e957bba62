"""Describe the changes of an edit to an entry, menu or redirect, by comparing the fields of two revisions."""

import json
from collections.abc import Iterator, Mapping
from typing import Any

from django.conf import settings
from django.core.exceptions import FieldDoesNotExist
from django.db.models import Field, Model
from django.utils.translation import gettext
from wagtail.fields import StreamField

from ..domain.interface_words import forms_of
from .drafts import ROW_STATE
from .interface_words import InterfaceWords
from .quoted import quoted
from .rate_card import name_rate
from .site_records import load_site_roots

_MOST: int = 6
_UNSAID = ROW_STATE | {"pk", "id", "sort_order", "site"}
_NAMES = ("title", "key", "service", "role")
"""Fields that name an item of a list; the first with a value is used."""


def say_changes(model: type[Model], before: Mapping[str, Any], after: Mapping[str, Any]) -> str:
    """Return e.g. ``phone, opening hours``; empty if the content is equal. Both are contents of revisions."""
    names = [
        _say_field(model, name, before.get(name), after.get(name))
        for name in {**before, **after}
        if name not in _UNSAID and _plain(before.get(name)) != _plain(after.get(name))
    ]
    more = gettext(" and {value} more").format(value=len(names) - _MOST) if len(names) > _MOST else ""
    return ", ".join(names[:_MOST]) + more


def _say_field(model: type[Model], name: str, before: Any, after: Any) -> str:
    try:
        field: Any = model._meta.get_field(name)
    except FieldDoesNotExist:
        return name.replace("_", " ")
    if (
        isinstance(before, list)
        and isinstance(after, list)
        and (rows := list(dict.fromkeys(_changed_rows(before, after))))
    ):
        return f"{name.replace('_', ' ')} ({'; '.join(rows[:_MOST])})"
    if isinstance(field, StreamField):
        items = list(dict.fromkeys(_changed_items(_stream(before), _stream(after))))
        shown = ", ".join(map(quoted, items[:_MOST]))
        return f"{field.verbose_name} ({shown})" if shown else str(field.verbose_name)
    if model is InterfaceWords:
        return f"{field.verbose_name} ({', '.join(map(quoted, _changed_words(before or {}, after or {})[:_MOST]))})"
    return str(field.verbose_name) if isinstance(field, Field) else name.replace("_", " ")


def _changed_words(before: Mapping[str, Any], after: Mapping[str, Any]) -> list[str]:
    """Return the texts of changed interface words: the new ones, and those that were removed."""
    words = {**before, **after}
    changed = (words[key]["text"] for key in words if before.get(key) != after.get(key))
    return [text for word in changed for text in forms_of(word).values()]


def _changed_rows(before: list[Any], after: list[Any]) -> Iterator[str]:
    """Yield the names of changed rates with their prices, and of sites with changed translations."""
    old, new = ({_row_key(row): row for row in rows if isinstance(row, dict)} for rows in (before, after))
    for key in dict.fromkeys([*old, *new]):
        was, now = old.get(key), new.get(key)
        if key is None or _without_key(was) == _without_key(now):
            continue
        if key[0] == "locale":
            root = next((each for each in load_site_roots().values() if each.locale_id == key[1]), None)
            if root is not None:
                yield settings.SITES_REGISTRY.sites[root.key].name
            continue
        prices = [f"{row['low']}–{row['high']}" if row else gettext("none") for row in (was, now)]
        name = name_rate(now or was or {})
        yield f"{name}: {' → '.join(prices)}" if prices[0] != prices[1] else name


def _row_key(row: Mapping[str, Any]) -> tuple[Any, ...] | None:
    if {"role", "seniority", "low", "high"} <= row.keys():
        return "rate", row["role"], row["seniority"]
    return ("locale", row["locale"]) if row.get("locale") else None


def _without_key(row: Mapping[str, Any] | None) -> dict[str, Any]:
    return {name: said for name, said in (row or {}).items() if name not in ("pk", "sort_order")}


def _changed_items(before: list[Any], after: list[Any]) -> Iterator[str]:
    """Yield the titles of changed items, and of changed items in their lists."""
    old, new = ({item.get("id") or position: item for position, item in enumerate(items)} for items in (before, after))
    for id in [*new, *(id for id in old if id not in new)]:
        was, now = (found.get(id, {}).get("value") for found in (old, new))
        if was == now:
            continue
        inner = list(_inner(was, now))
        if inner and _without_lists(was) == _without_lists(now):
            yield from inner
        else:
            yield _name(now if now is not None else was)


def _inner(before: Any, after: Any) -> Iterator[str]:
    if isinstance(before, dict) and isinstance(after, dict):
        for name in after:
            if isinstance(after[name], list) and isinstance(before.get(name), list):
                yield from _changed_items(before[name], after[name])


def _without_lists(value: Any) -> Any:
    return (
        {name: said for name, said in value.items() if not isinstance(said, list)} if isinstance(value, dict) else value
    )


def _name(value: Any) -> str:
    if isinstance(value, dict):
        return next((str(value[name]) for name in _NAMES if value.get(name)), gettext("an item"))
    return str(value)[:60]


def _stream(value: Any) -> list[Any]:
    found = json.loads(value) if isinstance(value, str) and value else value
    return found if isinstance(found, list) else []


def _plain(value: Any) -> Any:
    """Return rows without their IDs, which change when a draft is published."""
    if isinstance(value, list):
        return [
            {name: said for name, said in row.items() if name != "pk"} if isinstance(row, dict) else row
            for row in value
        ]
    return _stream(value) if isinstance(value, str) and value.startswith("[") else value
