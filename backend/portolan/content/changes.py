"""Find the items that an edit affects, for the code that listens to signals.

Only values inside an item count. From references, the publisher finds the pages that link to a moved page or show a
changed image.
"""

from collections.abc import Iterable
from functools import singledispatch
from typing import Final

from django.db.models import Model, Q
from wagtail.documents.models import Document
from wagtail.models import Collection, CollectionViewRestriction, Page

from .collections.base import Entry, Placement, Translation
from .collections.facets import FacetValue
from .collections.offices import Office, OfficeCategory, OfficeCategoryTranslation, OfficeTranslation
from .export import inherited_site
from .fallbacks import PageFallback, fallback_keys, keys_of_choice
from .interface_words import InterfaceWords
from .items import ALL_SITES, DOCUMENT, FOOTER, MAIN, MENU, OFFICE, PAGE, PICTURE, RATE_CARD, REDIRECT, WORDS, ItemKey
from .navigation.footer import FooterSettings
from .navigation.menu import MenuSettings
from .page_rows import page_kinds
from .pages.case_study import CaseStudyPage
from .pictures import SiteImage
from .rate_card import Rate, RateCardSettings
from .redirects import Redirect
from .site_records import load_site_roots
from .site_setting import SiteSetting

_PLACE: Final = ("path", "translation_key", "content_type__model")
"""Place in the tree, translation key and page type."""


@singledispatch
def keys_of(instance: Model) -> set[ItemKey]:
    """Return the items that contain values of ``instance``, which was saved or is about to be deleted.

    Empty for models that no item depends on and for drafts. Before a deletion, call it while the
    relations exist.
    """
    return set()


@keys_of.register
def _(page: Page) -> set[ItemKey]:
    """Return the page, its live copies, and the sites' items that show it untranslated."""
    own = (page.path, page.translation_key, page.cached_content_type.model)
    keys = _keys_of_pages([own, *page.aliases.values_list(*_PLACE)])
    return keys | fallback_keys(keys, [page.url_path])


def keys_of_subtree(page: Page, old_path: str | None = None) -> set[ItemKey]:
    """Return a page and all pages below it, with their copies: for a move, a new slug, publishing and unpublishing.

    URLs of the pages below contain the page's slug, and their parent may have changed. ``old_path`` is the place in the
    tree before a move to another site, which the pages have left.
    """
    pages = list(Page.objects.filter(path__startswith=page.path).values_list(*_PLACE))
    copies = Page.objects.filter(alias_of__path__startswith=page.path).values_list(*_PLACE)
    moved = [] if old_path is None else [(old_path, key, page_type) for _, key, page_type in pages]
    keys = _keys_of_pages([*pages, *copies, *moved])
    urls = [page.url_path, *Page.objects.filter(pk=page.pk).values_list("url_path", flat=True)]
    return keys | fallback_keys(keys, urls)


@keys_of.register
def _(image: SiteImage) -> set[ItemKey]:
    return {ItemKey(ALL_SITES, PICTURE, str(image.pk))}


@keys_of.register
def _(document: Document) -> set[ItemKey]:
    return {ItemKey(ALL_SITES, DOCUMENT, str(document.pk))}


@keys_of.register
def _(collection: Collection) -> set[ItemKey]:
    """Return its documents and those of collections in it, because its place decides whether they are private."""
    found = Document.objects.filter(collection__path__startswith=collection.path)
    return {ItemKey(ALL_SITES, DOCUMENT, str(id)) for id in found.values_list("pk", flat=True)}


@keys_of.register
def _(restriction: CollectionViewRestriction) -> set[ItemKey]:
    return keys_of(restriction.collection)


@keys_of.register
def _(entry: Entry) -> set[ItemKey]:
    return _on_all_sites(entry.kind, {entry.key}) if entry.live else set()


@keys_of.register
def _(facet: FacetValue) -> set[ItemKey]:
    """Return the value, and the cards of case studies that show its name."""
    if not facet.live:
        return set()
    found_by = Q(industries=facet.pk) | Q(services=facet.pk) | Q(technologies=facet.pk)
    cases = CaseStudyPage.objects.filter(found_by).distinct().values_list(*_PLACE)
    cards = {key for key in _keys_of_pages(cases) if key.kind != PAGE}
    return _on_all_sites(facet.kind, {facet.key}) | cards


@keys_of.register
def _(translation: Translation) -> set[ItemKey]:
    return keys_of(translation.entry)


@keys_of.register
def _(placement: Placement) -> set[ItemKey]:
    return keys_of(placement.entry)


@keys_of.register
def _(translation: OfficeTranslation) -> set[ItemKey]:
    return keys_of(translation.office)


@keys_of.register
def _(category: OfficeCategory) -> set[ItemKey]:
    return _on_all_sites(OFFICE, Office.objects.filter(category_id=category.pk).values_list("key", flat=True))


@keys_of.register
def _(translation: OfficeCategoryTranslation) -> set[ItemKey]:
    return keys_of(translation.category)


@keys_of.register
def _(menu: MenuSettings) -> set[ItemKey]:
    return _keys_of_setting(MENU, menu)


@keys_of.register
def _(footer: FooterSettings) -> set[ItemKey]:
    return _keys_of_setting(FOOTER, footer)


@keys_of.register
def _(redirect: Redirect) -> set[ItemKey]:
    return {ItemKey(site, REDIRECT, redirect.source) for site in redirect.sites()} if redirect.live else set()


@keys_of.register
def _(choice: PageFallback) -> set[ItemKey]:
    return keys_of_choice(choice)


@keys_of.register
def _(card: RateCardSettings) -> set[ItemKey]:
    return _keys_of_setting(RATE_CARD, card)


@keys_of.register
def _(words: InterfaceWords) -> set[ItemKey]:
    return _keys_of_setting(WORDS, words)


@keys_of.register
def _(rate: Rate) -> set[ItemKey]:
    return keys_of(rate.card)


def _keys_of_pages(places: Iterable[tuple[str, object, str]]) -> set[ItemKey]:
    """Return the keys of pages and their cards. A folder may have been a page before, so it counts as a page."""
    roots = load_site_roots().values()
    return {
        ItemKey(root.key, kind, str(key))
        for path, key, page_type in places
        for root in roots
        if path.startswith(root.root_path)
        for kind in page_kinds(page_type) or (PAGE,)
    }


def keys_of_entries(kind: str, keys: Iterable[str]) -> set[ItemKey]:
    """Return the items of entries, or of pages' cards, with these keys, on every site."""
    return _on_all_sites(kind, keys)


def _on_all_sites(kind: str, keys: Iterable[str]) -> set[ItemKey]:
    sites = load_site_roots()
    return {ItemKey(site, kind, key) for key in keys for site in sites}


def _keys_of_setting(kind: str, row: SiteSetting) -> set[ItemKey]:
    """Return the site's own item and those of sites that inherit from it."""
    if not row.live:
        return set()
    roots = load_site_roots()
    own = {root.key for root in roots.values() if root.wagtail_site_id == row.site_id}
    return {ItemKey(site, kind, MAIN) for site in roots if site in own or inherited_site(site) in own}
