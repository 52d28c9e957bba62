"""Sites that inherit another's pages: a page published there gets a live copy (a Wagtail alias) on every inheriting
site. The copy follows its source, also to another address, until an editor overrides it ("convert alias" in the
studio).
"""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

from django.conf import settings
from wagtail.models import Page
from wagtail.signals import page_published, page_slug_changed, post_page_move

from ..content.pages.base import TreePage
from ..content.site_records import SiteRecord
from ..sites.registry import Registry

_waiting: ContextVar[list[TreePage] | None] = ContextVar("pages to copy", default=None)


def connect() -> None:
    """Copy each page to the inheriting sites when it is first published, and move the copies when it moves."""
    page_published.connect(_on_published, dispatch_uid="portolan.studio.inheritance")
    page_slug_changed.connect(_on_slug_changed, dispatch_uid="portolan.studio.inheritance")
    post_page_move.connect(_on_moved, dispatch_uid="portolan.studio.inheritance")


def disconnect() -> None:
    """For tests of what lies below the studio."""
    for signal in (page_published, page_slug_changed, post_page_move):
        signal.disconnect(dispatch_uid="portolan.studio.inheritance")


@contextmanager
def copied_at_the_end() -> Iterator[None]:
    """Copies the pages published in the block at its end. If they were copied at once, Wagtail would update each new
    copy again."""
    waiting: list[TreePage] = []
    token = _waiting.set(waiting)
    try:
        yield
    finally:
        _waiting.reset(token)
    for page in waiting:
        copy_to_heirs(page)


def copy_to_heirs(page: TreePage) -> list[TreePage]:
    """Make a live copy of the page on every inheriting site that lacks it. Returns the new copies."""
    copies: list[TreePage] = []
    for record in _heirs(settings.SITES_REGISTRY, page):
        if not page.get_translations(inclusive=True).filter(locale=record.locale_id).exists():
            copies.append(page.copy_for_translation(record.locale, copy_parents=True, alias=True))
    return copies


def _heirs(registry: Registry, page: TreePage) -> list[SiteRecord]:
    owner = SiteRecord.objects.filter(locale=page.locale_id).first()
    keys = [site.key for site in registry.sites.values() if owner and site.inherits == owner.key]
    return list(SiteRecord.objects.filter(key__in=keys).select_related("locale")) if keys else []


def _on_published(instance: Page, alias: bool = False, **_: Any) -> None:
    if alias or not isinstance(instance, TreePage):
        return
    waiting = _waiting.get()
    if waiting is None:
        copy_to_heirs(instance)
    else:
        waiting.append(instance)


def _on_slug_changed(instance: Page, instance_before: Page, **_: Any) -> None:
    for copy in instance.aliases.filter(slug=instance_before.slug, depth__gt=2):  # a home page's slug is the site's key
        if not copy.get_siblings(inclusive=False).filter(slug=instance.slug).exists():
            copy = copy.specific
            copy.slug = instance.slug
            copy.save(clean=False)


def _on_moved(instance: Page, parent_page_before: Page, parent_page_after: Page, **_: Any) -> None:
    """Moves the copies too. A copy that was elsewhere than its source was moved there on purpose, and stays."""
    if parent_page_before == parent_page_after or parent_page_after.locale_id != instance.locale_id:
        return
    for copy in instance.aliases.all():
        target = parent_page_after.get_translation_or_none(copy.locale)
        same_place = copy.get_parent().translation_key == parent_page_before.translation_key
        if target and same_place and not target.get_children().filter(slug=copy.slug).exists():
            copy.specific.move(target.specific, pos="last-child")
