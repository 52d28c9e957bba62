"""Reading pages in bulk: which of them are published on which site, with a fixed number of queries."""

from collections.abc import Collection, Iterable, Iterator, Mapping
from datetime import datetime
from typing import Any, Final, NamedTuple, TypeVar

from django.apps import apps
from django.db.models import Q
from wagtail.models import Page

from .items import PAGE
from .pages import FAMILIES
from .pages.card import CardPage
from .site_records import SiteRoot

_Value = TypeVar("_Value")
_STEP: Final = Page.steplen
_CHUNK: Final = 500  # SQLite takes 999 parameters in its oldest builds


class PageRow(NamedTuple):
    """A page's row in the tree, without its body."""

    id: int
    translation_key: str
    locale_id: int
    tree_path: str
    live: bool
    family: str
    """Model name: ``servicepage``, ``folderpage`` …"""
    app: str
    """Label of the Django app that the model belongs to."""
    first_published_at: datetime | None = None
    """Empty if the page was never live."""

    @property
    def is_missing(self) -> bool:
        """Whether its family came from a plugin that is not here. Visitors keep what they know of the page."""
        return is_missing_family(self.app, self.family)


_FIELDS = (
    "id", "translation_key", "locale_id", "path", "live", "content_type__model", "content_type__app_label",
    "first_published_at",
)  # fmt: skip
_KINDS: Final = {
    str(family._meta.model_name): (PAGE, family.card_kind()) if issubclass(family, CardPage) else (PAGE,)
    for family in FAMILIES
}
PAGE_KINDS: Final = frozenset(kind for kinds in _KINDS.values() for kind in kinds)
"""Kinds of items that come from pages: the pages themselves, and their cards."""


def page_kinds(family: str) -> tuple[str, ...]:
    """Kinds of the items a page is frozen as, by its model's name. None for folders, which visitors do not see."""
    return _KINDS.get(family, ())


def is_missing_family(app: str, family: str) -> bool:
    """Whether no class is known for pages of this content type."""
    return family not in apps.all_models.get(app, {})


def load_page_rows(
    *,
    translation_keys: Iterable[str] | None = None,
    tree_paths: Iterable[str] | None = None,
    under: Iterable[SiteRoot] | None = None,
) -> list[PageRow]:
    """Pages with any of these translation keys, at any of these places of the tree, or anywhere below these roots."""
    pages = Page.objects.order_by("path")
    if under is not None:
        condition = Q(pk=None)
        for root in under:
            condition |= Q(path__startswith=root.root_path)
        return [_row(values) for values in pages.filter(condition).values_list(*_FIELDS)]
    field, wanted = (
        ("translation_key", translation_keys) if translation_keys is not None else ("path", tree_paths or ())
    )
    rows = []
    for chunk in chunks(sorted(set(wanted))):
        rows += [_row(values) for values in pages.filter(**{f"{field}__in": chunk}).values_list(*_FIELDS)]
    return rows


def load_hidden_ids() -> set[int]:
    """Ids of pages that are hidden on their site: one query over all families."""
    hidden = [family.objects.filter(hidden_here=True).order_by().values_list("pk") for family in FAMILIES]
    return {id for (id,) in hidden[0].union(*hidden[1:])}


def is_published(row: PageRow, root: SiteRoot, hidden: Collection[int]) -> bool:
    """Whether the page is published on the site with ``root``."""
    return (
        row.live
        and (row.family in _KINDS or row.is_missing)
        and row.locale_id == root.locale_id
        and row.tree_path.startswith(root.root_path)
        and row.id not in hidden
    )


def was_published(row: PageRow) -> bool:
    """Return True if visitors may have seen the page, whether they do now or not."""
    return row.first_published_at is not None and (row.family in _KINDS or row.is_missing)


def ancestor_paths(tree_path: str, root: SiteRoot) -> list[str]:
    """Places of a page's ancestors on its site, the nearest first, the home page last."""
    return [tree_path[:end] for end in range(len(tree_path) - _STEP, len(root.root_path) - 1, -_STEP)]


def load_translation_keys(page_ids: Iterable[int]) -> Mapping[int, str]:
    """Translation keys by page id, for freezing links."""
    found: dict[int, str] = {}
    for chunk in chunks(sorted(set(page_ids))):
        found |= {id: str(key) for id, key in Page.objects.filter(pk__in=chunk).values_list("pk", "translation_key")}
    return found


def chunks(values: list[_Value]) -> Iterator[list[_Value]]:
    return (values[start : start + _CHUNK] for start in range(0, len(values), _CHUNK))


def _row(values: tuple[Any, ...]) -> PageRow:
    id, translation_key, *rest = values
    return PageRow(id, str(translation_key), *rest)
