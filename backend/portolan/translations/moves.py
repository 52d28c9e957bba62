"""Offer the move of an original to its translations. Live copies follow by themselves, and a country may keep its own structure."""

from collections.abc import Collection, Iterator
from typing import Any, NamedTuple

from wagtail.models import Page
from wagtail.signals import post_page_move

from ..content.site_records import load_site_roots
from .models import MoveOffer
from .sources import site_of, translated_sites


class OfferedMove(NamedTuple):
    site: str
    page: Page
    """The translation."""
    parent_title: str
    """Title of the original's new parent."""
    target: Page | None
    """Its translation on the site; None if the site lacks it."""


def connect() -> None:
    post_page_move.connect(_on_moved, dispatch_uid="portolan.translations.moves")


def find_offers(sites: Collection[str], page: Page | None = None) -> Iterator[OfferedMove]:
    """Yield the offers that editors have not decided on; only those for ``page`` if given."""
    roots = {root.locale_id: root for key, root in load_site_roots().items() if key in sites}
    offers = MoveOffer.objects.filter(site__in=[root.key for root in roots.values()]).order_by("-moved_at")
    rows = list(offers if page is None else offers.filter(translation_key=page.translation_key))
    keys = {key for row in rows for key in (row.translation_key, row.below)}
    if not keys:
        return
    pages: dict[tuple[Any, str], Page] = {}
    titles: dict[Any, str] = {}
    for each in Page.objects.filter(translation_key__in=keys):
        root = roots.get(each.locale_id)
        if root and each.path.startswith(root.root_path):
            pages[each.translation_key, root.key] = each
        if each.translation_key not in titles or site_of(each.path, each.locale_id):
            titles[each.translation_key] = each.title
    for row in rows:
        own = pages.get((row.translation_key, row.site))
        if own:
            target = pages.get((row.below, row.site))
            yield OfferedMove(row.site, own, target.title if target else titles.get(row.below, ""), target)


def keep_place(key: Any, site: str) -> None:
    """Record that the translation stays where it is."""
    MoveOffer.objects.filter(translation_key=key, site=site).delete()


def _on_moved(instance: Page, parent_page_before: Page, parent_page_after: Page, **_: Any) -> None:
    root = site_of(Page.objects.values_list("path", flat=True).get(pk=instance.pk), instance.locale_id)
    if root is None or parent_page_before.pk == parent_page_after.pk:
        return
    keep_place(instance.translation_key, root.key)
    roots = load_site_roots()
    locales = {roots[site].locale_id: site for site in translated_sites(root.key) if site in roots}
    for page in Page.objects.filter(
        translation_key=instance.translation_key, locale_id__in=locales, alias_of__isnull=True
    ):
        site = locales[page.locale_id]
        if site_of(page.path, page.locale_id) is None:
            continue  # it is in the trash
        if page.get_parent().translation_key == parent_page_after.translation_key:
            keep_place(page.translation_key, site)
        else:
            MoveOffer.objects.update_or_create(
                translation_key=page.translation_key, site=site, defaults={"below": parent_page_after.translation_key}
            )
