"""Describe uses for editors: one row for each item, with its sites."""

from collections.abc import Iterable, Sequence
from functools import reduce
from operator import or_
from typing import Final, NamedTuple
from uuid import UUID

from django.conf import settings
from django.db.models import Model, Q
from django.utils.translation import gettext, gettext_noop
from wagtail.documents.models import Document
from wagtail.models import Page

from ..content.collections.base import Entry
from ..content.items import DOCUMENT, PAGE, PICTURE
from ..content.pictures import SiteImage
from ..content.site_records import SiteRoot, load_site_roots
from ..domain.media_addresses import MEDIA
from ..releases.index import chunks
from ..releases.reader import ItemId
from .edit_urls import Editable, find_editables
from .newest_release import newest_release
from .uses import FRAME, Use, find_address_uses, find_entry_uses, find_file_uses, find_page_uses

_PATHS_PER_QUERY: Final = 50
_EVERY_PAGE: Final = gettext_noop("Every page's header and footer")


class UseRow(NamedTuple):
    title: str
    edit_url: str
    """Empty if the use follows from the entry itself."""
    places: tuple[str, ...]
    breaks: bool
    sites: tuple[str, ...]
    """Names of the sites that show it."""


class PlacedPage(NamedTuple):
    """The needed data of one of thousands of pages."""

    pk: int
    path: str
    """Path in the tree of all pages."""
    translation_key: UUID


def list_uses(*objects: Model | PlacedPage) -> list[UseRow]:
    """Return all uses of the objects, those that break first. Pages count as deleted together."""
    registry = settings.SITES_REGISTRY
    release = newest_release()
    if release is None:
        return []
    pages = [one for one in objects if isinstance(one, Page | PlacedPage)]
    found = find_page_uses(release, registry, list_page_items(pages)) if pages else []
    for one in objects:
        if isinstance(one, SiteImage):
            found += find_file_uses(release, PICTURE, str(one.pk))
        elif isinstance(one, Document):
            found += find_file_uses(release, DOCUMENT, str(one.pk))
            found += find_address_uses(release, registry, f"{MEDIA}{one.file.name}")
        elif isinstance(one, Entry):
            found += find_entry_uses(release, registry, one.kind, one.key)
    return _say(found)


def count_places(rows: Iterable[UseRow]) -> int:
    """Count the uses on all sites."""
    return sum(len(row.sites) for row in rows)


def count_page_uses(pages: Iterable[Page | PlacedPage]) -> int:
    """Count the uses of pages like ``count_places``, but faster."""
    release = newest_release()
    items = list_page_items(pages)
    return len(find_page_uses(release, settings.SITES_REGISTRY, items, with_places=False)) if release else 0


def with_everything_below(*pages: Page) -> list[PlacedPage]:
    """Return all pages that are deleted with these: child pages, and live copies with their child pages."""
    own = list(dict.fromkeys([*_place(pages), *_read_below(page.path for page in pages if page.numchild)]))
    return list(dict.fromkeys([*own, *_read_below(copy.path for copy in _read_copies(own))]))


def _read_below(paths: Iterable[str], **conditions: bool) -> list[PlacedPage]:
    """Return the pages at these paths and below."""
    topmost: list[str] = []
    for path in sorted(paths):
        if not topmost or not path.startswith(topmost[-1]):
            topmost.append(path)
    found: list[PlacedPage] = []
    for some in chunks(topmost, _PATHS_PER_QUERY):
        rows = Page.objects.filter(reduce(or_, (Q(path__startswith=path) for path in some)), **conditions)
        found += map(PlacedPage._make, rows.values_list(*PlacedPage._fields))
    return found


def all_below_with_copies(*pages: Page) -> list[PlacedPage]:
    """Return the pages that are also unpublished if the editor includes child pages."""
    ticked = {page.pk for page in pages}
    found = _read_below((page.path for page in pages if page.numchild), live=True)
    below = [one for one in found if one.pk not in ticked]
    return list(dict.fromkeys([*below, *_read_copies(below)]))


def with_copies(*pages: Page) -> list[PlacedPage]:
    """Return the pages and their live copies, which are unpublished together."""
    own = _place(pages)
    return list(dict.fromkeys([*own, *_read_copies(own)]))


def _place(pages: Iterable[Page]) -> list[PlacedPage]:
    return [PlacedPage(page.pk, page.path, page.translation_key) for page in pages]


def _read_copies(pages: Iterable[PlacedPage]) -> list[PlacedPage]:
    copies = Page.objects.filter(alias_of__in=[page.pk for page in pages]).values_list(*PlacedPage._fields)
    return [PlacedPage._make(copy) for copy in copies]


def list_page_items(pages: Iterable[Page | PlacedPage]) -> set[ItemId]:
    roots: Sequence[SiteRoot] = list(load_site_roots().values())
    return {
        ItemId(root.key, PAGE, str(page.translation_key))
        for page in pages
        for root in roots
        if page.path.startswith(root.root_path)
    }


def _say(uses: list[Use]) -> list[UseRow]:
    """Return rows. The same place on inheriting sites is one row."""
    known = find_editables({use.item for use in uses})
    names = {key: site.name for key, site in settings.SITES_REGISTRY.sites.items()}
    rows: dict[tuple[str, str, tuple[str, ...], bool], dict[str, None]] = {}
    for use in uses:
        editable = (
            Editable(gettext(_EVERY_PAGE), "")
            if use.item.kind == FRAME
            else known.get(use.item, Editable(use.item.key, ""))
        )
        row = (editable.title, editable.edit_url, use.places, use.breaks)
        rows.setdefault(row, {})[names.get(use.item.site, use.item.site)] = None
    found = [UseRow(*row, tuple(sites)) for row, sites in rows.items()]
    return sorted(found, key=lambda row: not row.breaks)
