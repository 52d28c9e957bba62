"""Describe an entry's translations of inheriting sites, so that they are merged like the blocks of a page.

A block here is the translation of an inheriting site. Its source is the translation of the site that it inherits from.
"""

from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any, NamedTuple

from modelcluster.models import get_all_child_relations
from wagtail import blocks

from ...content.collections.base import TranslatedEntry
from ...content.export import inherited_site
from ...content.site_records import load_site_roots
from ..site_names import site_name

TYPE = "translation"
_OF_ROW = ("id", "pk", "entry", "locale")


class Translations(NamedTuple):
    """The translations of a collection's entries."""

    child_blocks: Mapping[str, blocks.Block]
    """The columns, as in a ``StreamBlock``."""

    def name_of(self, block: Mapping[str, Any]) -> str:
        """Return the name of the translation's site."""
        return site_name(block["id"])


@cache
def translations_of(model: type[TranslatedEntry]) -> Translations:
    rows: Any = next(each for each in get_all_child_relations(model) if each.get_accessor_name() == "translations")
    fields = rows.related_model._meta.fields
    columns = [(each.name, blocks.CharBlock(label=each.verbose_name)) for each in fields if each.name not in _OF_ROW]
    return Translations({TYPE: blocks.StructBlock(columns)})


def read_translations(stored: Mapping[str, Any], *, is_source: bool) -> dict[str, Mapping[str, Any]]:
    """Return the translation of each inheriting site by its key, or that of its source, if both have one."""
    rows = _rows_by_site(stored)
    found: dict[str, Mapping[str, Any]] = {}
    for site in rows:
        source = inherited_site(site)
        if source in rows:
            row = rows[source if is_source else site]
            value = {name: said for name, said in row.items() if name not in _OF_ROW}
            found[site] = {"type": TYPE, "id": site, "value": value}
    return found


def write_translations(raw: Iterable[Mapping[str, Any]], stored: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """Return the rows of ``stored`` with these values."""
    values = {block["id"]: block["value"] for block in raw}
    return [{**row, **values.get(site, {})} for site, row in _rows_by_site(stored, is_complete=True).items()]


def locale_of(site: str) -> int | None:
    root = load_site_roots().get(site)
    return root.locale_id if root else None


def _rows_by_site(stored: Mapping[str, Any], *, is_complete: bool = False) -> dict[str, Mapping[str, Any]]:
    """Return the rows by the key of their site. ``is_complete``: also rows of locales without a site."""
    sites = {root.locale_id: key for key, root in load_site_roots().items()}
    rows = {sites.get(row["locale"], f"#{row['locale']}"): row for row in stored.get("translations") or ()}
    return rows if is_complete else {site: row for site, row in rows.items() if not site.startswith("#")}
