"""Load pages in bulk, and find those published on a site, with a fixed number of queries."""

from collections.abc import Collection, Iterable, Iterator, Mapping
from datetime import datetime
from typing import Any, Final, NamedTuple, TypeVar

from django.apps import apps
from django.db.models import Q
from wagtail.models import Page

from .items import PAGE
from .pages import PAGE_TYPES
from .pages.card import CardPage
from .site_records import SiteRoot

_Value = TypeVar("_Value")
_STEP: Final = Page.steplen
_CHUNK: Final = 500  # old builds of SQLite accept 999 parameters


class PageRow(NamedTuple):
    """A page's row in the tree, without its body."""

    id: int
    translation_key: str
    locale_id: int
    tree_path: str
    live: bool
    page_type: str
    """Model name: ``servicepage``, ``folderpage`` …"""
    app: str
    """Label of the Django app that the model belongs to."""
    first_published_at: datetime | None = None
    """None if the page was never live."""

    @property
    def is_missing(self) -> bool:
        """Return whether the plugin of its page type is missing. Visitors then keep the last published version."""
        return is_missing_page_type(self.app, self.page_type)


_FIELDS = (
    "id", "translation_key", "locale_id", "path", "live", "content_type__model", "content_type__app_label",
    "first_published_at",
)  # fmt: skip
_KINDS: Final = {
    str(page_type._meta.model_name): (PAGE, page_type.card_kind()) if issubclass(page_type, CardPage) else (PAGE,)
    for page_type in PAGE_TYPES
}
PAGE_KINDS: Final = frozenset(kind for kinds in _KINDS.values() for kind in kinds)
"""Kinds of items that come from pages: the pages themselves, and their cards."""


def page_kinds(page_type: str) -> tuple[str, ...]:
    """Return the kinds of a page's items, by the name of its model; empty for folders, which visitors do not see."""
    return _KINDS.get(page_type, ())


def is_missing_page_type(app: str, page_type: str) -> bool:
    """Return whether pages of this content type have no class."""
    return page_type not in apps.all_models.get(app, {})


def load_page_rows(
    *,
    translation_keys: Iterable[str] | None = None,
    tree_paths: Iterable[str] | None = None,
    under: Iterable[SiteRoot] | None = None,
) -> list[PageRow]:
    """Return pages with these translation keys, at these places of the tree, or below these roots."""
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
    """Return the IDs of pages that are hidden on their site, with one query for all page types."""
    hidden = [page_type.objects.filter(hidden_here=True).order_by().values_list("pk") for page_type in PAGE_TYPES]
    return {id for (id,) in hidden[0].union(*hidden[1:])}


def is_published(row: PageRow, root: SiteRoot, hidden: Collection[int]) -> bool:
    """Return whether the page is published on the site with ``root``."""
    return (
        row.live
        and (row.page_type in _KINDS or row.is_missing)
        and row.locale_id == root.locale_id
        and row.tree_path.startswith(root.root_path)
        and row.id not in hidden
    )


def was_published(row: PageRow) -> bool:
    """Return True if visitors may have seen the page, whether they do now or not."""
    return row.first_published_at is not None and (row.page_type in _KINDS or row.is_missing)


def ancestor_paths(tree_path: str, root: SiteRoot) -> list[str]:
    """Return the places of a page's ancestors on its site, the nearest first, the home page last."""
    return [tree_path[:end] for end in range(len(tree_path) - _STEP, len(root.root_path) - 1, -_STEP)]


def load_translation_keys(page_ids: Iterable[int]) -> Mapping[int, str]:
    """Return translation keys by page ID, for links."""
    found: dict[int, str] = {}
    for chunk in chunks(sorted(set(page_ids))):
        found |= {id: str(key) for id, key in Page.objects.filter(pk__in=chunk).values_list("pk", "translation_key")}
    return found


def chunks(values: list[_Value]) -> Iterator[list[_Value]]:
    return (values[start : start + _CHUNK] for start in range(0, len(values), _CHUNK))


def _row(values: tuple[Any, ...]) -> PageRow:
    id, translation_key, *rest = values
    return PageRow(id, str(translation_key), *rest)
