"""Export and restore the values that editors entered for entries, menus, footers, rate cards and redirects, as JSON.

Releases store the live values of all form fields, so that any change of a release can be reverted.
"""

import json
from collections.abc import Collection, Iterable, Mapping
from typing import Any, Final, NamedTuple

from django.contrib.auth.base_user import AbstractBaseUser
from django.core.serializers.json import DjangoJSONEncoder
from django.db.models import Model
from django.utils.translation import gettext
from modelcluster.models import (
    ClusterableModel,
    get_all_child_relations,
    get_serializable_data_for_fields,
    model_from_serializable_data,
)

from .collections import COLLECTIONS
from .collections.facets import FacetValue
from .collections.offices import Office, OfficeCategory
from .drafts import REVERTED, ROW_STATE
from .export import SETTINGS, inherited_site
from .items import ALL_SITES, OFFICE, REDIRECT, ItemKey
from .redirects import Redirect
from .site_records import load_site_roots


class EnteredKey(NamedTuple):
    """One object that editors fill in."""

    model: str
    """Name of its model, e.g. ``menusettings``."""
    key: str
    """Key of the entry, site of a setting, or site (empty for all) and URL of a redirect."""


class NotPossible(Exception):
    """The values cannot be restored. The message is the reason, as a sentence."""


_CATEGORY: Final = str(OfficeCategory._meta.model_name)
_DATES: Final = ("go_live_at", "expire_at")
_DATED_BEFORE: Final = tuple(model for model in COLLECTIONS.values() if model is not FacetValue)
"""Models that had dates from the start. For other models, empty dates are left out, so that equal values stay equal."""
_REDIRECT: Final = str(Redirect._meta.model_name)
_MODELS: Final[Mapping[str, type[Model]]] = {
    str(model._meta.model_name): model
    for model in (*COLLECTIONS.values(), OfficeCategory, Redirect, *(model for model, _ in SETTINGS.values()))
}


def entered_keys(items: Iterable[ItemKey]) -> dict[ItemKey, list[EnteredKey]]:
    """Return the objects whose values are in each item; none for pages and files."""
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
    """Return the live values as JSON, equal for equal values. None for missing objects and drafts."""
    found: dict[EnteredKey, str | None] = dict.fromkeys(keys)
    for model in {key.model for key in keys}:
        for name, row in _load(model, {key.key for key in keys if key.model == model}):
            if row.live:
                found[EnteredKey(model, name)] = json.dumps(_serialize(row), cls=DjangoJSONEncoder, sort_keys=True)
    return found


def restore(key: EnteredKey, value: str | None, user: AbstractBaseUser | None = None) -> None:
    """Publish earlier values as an editor would; ``None`` unpublishes. Raise NotPossible."""
    model: Any = _MODELS[key.model]
    stored = dict(_load(key.model, {key.key})).get(key.key)
    if value is None:
        if stored:
            if not stored.latest_revision_id:
                stored.keep_first()
            stored.unpublish(user=user)
        return
    if stored and stored.has_unpublished_changes and stored.live:
        raise NotPossible(gettext("It has an unpublished draft. Publish or discard the draft first."))
    data = json.loads(value)
    data["pk"] = stored.pk if stored else data["pk"]
    try:
        if not stored:  # its child rows refer to it
            alone = model_from_serializable_data(model, data)
            alone.save()
        row = (
            model.from_serializable_data(data, strict_fks=True)
            if issubclass(model, ClusterableModel)
            else model_from_serializable_data(model, data, strict_fks=True)
        )
    except Exception as error:  # modelcluster raises no specific error for a deleted protected row
        raise NotPossible(gettext("It refers to content that has been deleted.")) from error
    if row is None or len(_rows_of(row)) != len(_rows_in(model, data)):
        raise NotPossible(gettext("It refers to content that has been deleted."))
    if stored:
        for name in ROW_STATE - {"live", "expired", "has_unpublished_changes"}:
            setattr(row, name, getattr(stored, name))
    row.save_live(user, REVERTED)


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
    return {
        name: said
        for name, said in data.items()
        if name not in ROW_STATE and (said or name not in _DATES or isinstance(row, _DATED_BEFORE))
    }


def _load(name: str, keys: Collection[str]) -> list[tuple[str, Any]]:
    """Return the rows as they are stored, by key."""
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
