"""Which items an edit dirties. Whoever listens to Wagtail's signals asks here and notes the answer.

Only what is frozen *inside* an item counts: that a page links to a moved page, or shows a changed picture, is found by
the publisher from the references.
"""

from collections.abc import Iterable
from functools import singledispatch

from django.db.models import Model
from wagtail.models import Page

from .collections.offices import Office, OfficeCategory, OfficeCategoryName, OfficeText
from .export import inherited_site
from .items import ALL_SITES, FOOTER, MAIN, MENU, OFFICE, PAGE, PICTURE, ItemKey
from .navigation.footer import FooterSettings
from .navigation.menu import MenuSettings
from .pictures import SiteImage
from .site_records import load_site_roots


@singledispatch
def keys_of(instance: Model) -> set[ItemKey]:
    """Items that freeze something of ``instance``, whether it was saved or is about to be deleted.

    Empty for models that no item knows. Ask before a deletion, while its relations are still there.
    """
    return set()


@keys_of.register
def _(page: Page) -> set[ItemKey]:
    """The page itself and its live copies on other sites."""
    return _keys_of_pages([_place(page), *page.aliases.values_list("path", "translation_key")])


def keys_of_subtree(page: Page, old_path: str | None = None) -> set[ItemKey]:
    """A page and all below it, with the copies of each: for a move, a new slug, and what comes up or goes down live.

    Addresses of the pages below contain the page's own, and their parent may be another now. ``old_path`` is the place
    in the tree before a move to another site: its pages are gone there.
    """
    pages = list(Page.objects.filter(path__startswith=page.path).values_list("path", "translation_key"))
    copies = Page.objects.filter(alias_of__path__startswith=page.path).values_list("path", "translation_key")
    moved = [] if old_path is None else [(old_path, key) for _, key in pages]
    return _keys_of_pages([*pages, *copies, *moved])


@keys_of.register
def _(image: SiteImage) -> set[ItemKey]:
    return {ItemKey(ALL_SITES, PICTURE, str(image.pk))}


@keys_of.register
def _(office: Office) -> set[ItemKey]:
    return _on_all_sites({office.key})


@keys_of.register
def _(text: OfficeText) -> set[ItemKey]:
    return keys_of(text.office)


@keys_of.register
def _(category: OfficeCategory) -> set[ItemKey]:
    return _on_all_sites(Office.objects.filter(category_id=category.pk).values_list("key", flat=True))


@keys_of.register
def _(name: OfficeCategoryName) -> set[ItemKey]:
    return keys_of(name.category)


@keys_of.register
def _(menu: MenuSettings) -> set[ItemKey]:
    return _keys_of_navigation(MENU, menu.site_id)


@keys_of.register
def _(footer: FooterSettings) -> set[ItemKey]:
    return _keys_of_navigation(FOOTER, footer.site_id)


def _place(page: Page) -> tuple[str, object]:
    return page.path, page.translation_key


def _keys_of_pages(places: list[tuple[str, object]]) -> set[ItemKey]:
    roots = load_site_roots().values()
    return {
        ItemKey(root.key, PAGE, str(key)) for path, key in places for root in roots if path.startswith(root.root_path)
    }


def _on_all_sites(offices: Iterable[str]) -> set[ItemKey]:
    sites = load_site_roots()
    return {ItemKey(site, OFFICE, key) for key in offices for site in sites}


def _keys_of_navigation(kind: str, wagtail_site_id: int) -> set[ItemKey]:
    """The site's own item and those of sites that inherit from it."""
    roots = load_site_roots()
    own = {root.key for root in roots.values() if root.wagtail_site_id == wagtail_site_id}
    return {ItemKey(site, kind, MAIN) for site in roots if site in own or inherited_site(site) in own}
