"""What editors entered for entries, menus, footers, rate cards and redirects: all that their forms have, as JSON. Wagtail keeps
revisions of pages; of these models releases keep what was entered, so that it can be entered again.
"""

import json
from collections.abc import Collection, Iterable, Mapping
from typing import Any, Final, NamedTuple

from django.core.serializers.json import DjangoJSONEncoder
from django.db.models import Model
from modelcluster.models import (
    ClusterableModel,
    get_all_child_relations,
    get_serializable_data_for_fields,
    model_from_serializable_data,
)

from .collections import COLLECTIONS
from .collections.offices import Office, OfficeCategory
from .export import SETTINGS, inherited_site
from .items import ALL_SITES, OFFICE, REDIRECT, ItemKey
from .redirects import Redirect
from .site_records import load_site_roots


class EnteredKey(NamedTuple):
    """One object that editors fill in."""

    model: str
    """Its model's name, e.g. ``menusettings``."""
    key: str
    """The entry's key; of a setting, the site's; of a redirect, its site (or nothing) and its address."""


class NotPossible(Exception):
    """What was entered cannot be entered again; the reason, as a sentence."""


_CATEGORY: Final = str(OfficeCategory._meta.model_name)
_REDIRECT: Final = str(Redirect._meta.model_name)
_MODELS: Final[Mapping[str, type[Model]]] = {
    str(model._meta.model_name): model
    for model in (*COLLECTIONS.values(), OfficeCategory, Redirect, *(model for model, _ in SETTINGS.values()))
}


def entered_keys(items: Iterable[ItemKey]) -> dict[ItemKey, list[EnteredKey]]:
    """The objects whose values stand in each of these items; none for pages and files."""
    keys = list(items)
    categories = _categories({item.key for item in keys if item.kind == OFFICE})
    found: dict[ItemKey, list[EnteredKey]] = {}
    for item in keys:
        if item.kind in COLLECTIONS:
            found[item] = [EnteredKey(str(COLLECTIONS[item.kind]._meta.model_name), item.key)]
            if item.kind == OFFICE and item.key in categories:
                found[item].append(EnteredKey(_CATEGORY, categories[item.key]))
        elif item.kind in SETTINGS:
            name, inherited = str(SETTINGS[item.kind][0]._meta.model_name), inherited_site(item.site)
            found[item] = [EnteredKey(name, site) for site in (item.site, inherited) if site]
        elif item.kind == REDIRECT:
            found[item] = [EnteredKey(_REDIRECT, f"{site} {item.key}") for site in (item.site, ALL_SITES)]
    return found


def export_entered(keys: Collection[EnteredKey]) -> dict[EnteredKey, str | None]:
    """What is entered now: JSON, equal for equal values. None for what is not there."""
    found: dict[EnteredKey, str | None] = dict.fromkeys(keys)
    for model in {key.model for key in keys}:
        for name, row in _load(model, {key.key for key in keys if key.model == model}):
            found[EnteredKey(model, name)] = json.dumps(_serialize(row), cls=DjangoJSONEncoder, sort_keys=True)
    return found


def enter_again(key: EnteredKey, value: str | None) -> None:
    """Save what was entered once, as an editor's save would; ``None`` deletes. Raises NotPossible."""
    model: Any = _MODELS[key.model]
    rows = dict(_load(key.model, {key.key}))
    if value is None:
        if key.key in rows:
            rows[key.key].delete()
        return
    data = json.loads(value)
    data["pk"] = rows[key.key].pk if key.key in rows else data["pk"]
    try:
        if key.key not in rows:  # its rows refer to it
            alone = model_from_serializable_data(model, data)
            alone.save()
        row = (
            model.from_serializable_data(data, strict_fks=True)
            if issubclass(model, ClusterableModel)
            else model_from_serializable_data(model, data, strict_fks=True)
        )
    except Exception as error:  # modelcluster has no other for a protected row that is gone
        raise NotPossible("It refers to something that was deleted since.") from error
    if row is None or len(_rows_of(row)) != len(_rows_in(model, data)):
        raise NotPossible("It refers to something that was deleted since.")
    row.save()


def _rows_of(row: Any) -> list[Any]:
    return [child for rel in _relations(type(row)) for child in getattr(row, rel).all()]


def _rows_in(model: type[Model], data: Mapping[str, Any]) -> list[Any]:
    return [child for rel in _relations(model) for child in data.get(rel, ())]


def _relations(model: type[Model]) -> list[str]:
    return [rel.get_accessor_name() for rel in get_all_child_relations(model)] if _is_clusterable(model) else []


def _is_clusterable(model: type[Model]) -> bool:
    return issubclass(model, ClusterableModel)


def _serialize(row: Model) -> dict[str, Any]:
    data: dict[str, Any] = (
        row.serializable_data() if isinstance(row, ClusterableModel) else get_serializable_data_for_fields(row)
    )
    return data


def _load(name: str, keys: Collection[str]) -> list[tuple[str, Any]]:
    """Rows as they are stored, by key."""
    model: Any = _MODELS[name]
    rows = model.objects.prefetch_related(*_relations(model))
    if any(model is setting for setting, _ in SETTINGS.values()):
        sites = {root.wagtail_site_id: root.key for root in load_site_roots().values() if root.key in keys}
        return [(sites[row.site_id], row) for row in rows.filter(site_id__in=sites)]
    if model is Redirect:
        found = rows.filter(source__in={key.partition(" ")[2] for key in keys})
        return [(key, row) for row in found if (key := f"{row.site_id or ALL_SITES} {row.source}") in keys]
    return [(row.key, row) for row in rows.filter(key__in=keys)]


def _categories(offices: Collection[str]) -> dict[str, str]:
    if not offices:
        return {}
    return dict(Office.objects.filter(key__in=offices).values_list("key", "category__key"))
