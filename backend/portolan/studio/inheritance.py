"""Create live copies (Wagtail aliases) of published pages on inheriting sites.

A copy follows its source, including its path. An editor can make it a local version ("convert alias"): then each block
follows until it is changed (``local_versions``). Menus, footers and rate cards of inheriting sites work the same way:
a site shows its source's, or its own, whose texts follow until they are changed.
Translations of an entry follow that of the site inherited from.
"""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, Final, NamedTuple

from django.conf import settings
from django.db.models.signals import post_save, pre_save
from wagtail.models import Page
from wagtail.signals import page_published, post_page_move, published

from ..content.collections.base import TranslatedEntry
from ..content.pages.base import TreePage
from ..content.site_records import SiteRecord
from ..content.site_setting import SiteSetting
from ..releases.changes import is_bookkeeping
from ..sites.registry import Registry
from .local_versions.content import read
from .local_versions.fill import begin_entries, begin_settings
from .local_versions.following import begin, take_over

_waiting: ContextVar[list[TreePage] | None] = ContextVar("pages to copy", default=None)
_NAME: Final = "portolan.studio.inheritance"
_FOLLOWED: Final = frozenset({"slug", "alias_of", "alias_of_id"})
"""Fields whose former value is read before a save."""


class Follower(NamedTuple):
    """A live copy whose source changes its path."""

    copy: Page
    parent: Page | None
    """The new parent page; ``None`` if the copy stays."""
    obstacle: Page | None
    """The page that has the path already, so that the copy stays."""


def connect() -> None:
    """Connect the signals.

    Wagtail reports a new slug after the transaction. Django's signals run within it, so that copies change with their
    source or not at all.
    """
    page_published.connect(_on_published, dispatch_uid=_NAME)
    published.connect(_on_entry_published, dispatch_uid=_NAME)
    pre_save.connect(_before_save, dispatch_uid=_NAME)
    post_save.connect(_after_save, dispatch_uid=_NAME)
    post_page_move.connect(_on_moved, dispatch_uid=_NAME)


def disconnect() -> None:
    """Disconnect the signals, for tests below the studio."""
    for signal in (page_published, published, pre_save, post_save, post_page_move):
        signal.disconnect(dispatch_uid=_NAME)


def find_followers_of_slug(page: Page, before: str, after: str) -> Iterator[Follower]:
    """Yield copies with the page's slug. Copies with another slug keep it, because an editor chose it."""
    for copy in page.aliases.filter(slug=before, depth__gt=2):  # a home page's slug is the site's key
        taken = copy.get_siblings(inclusive=False).filter(slug=after).first()
        yield Follower(copy, None if taken else copy.get_parent(), taken)


def find_followers_of_move(page: Page, parent_before: Page, parent_after: Page) -> Iterator[Follower]:
    """Yield copies at the page's own place. Copies elsewhere stay, because an editor moved them."""
    if parent_before == parent_after or parent_after.locale_id != page.locale_id:
        return
    for copy in page.aliases.all():
        if copy.get_parent().translation_key == parent_before.translation_key:
            target = parent_after.get_translation_or_none(copy.locale)
            taken = target and target.get_children().filter(slug=copy.slug).first()
            yield Follower(copy, None if taken else target, taken)


@contextmanager
def copied_at_the_end() -> Iterator[None]:
    """Copy pages published in this context at its end. Otherwise Wagtail would update each new copy again."""
    waiting: list[TreePage] = []
    token = _waiting.set(waiting)
    try:
        yield
    finally:
        _waiting.reset(token)
    for page in waiting:
        copy_to_heirs(page)
        take_over(page)
    begin_entries()


def copy_to_heirs(page: TreePage) -> list[TreePage]:
    """Create missing live copies of a page on inheriting sites. Return the new copies."""
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
        take_over(instance)
    else:
        waiting.append(instance)


def _on_entry_published(instance: Any, **_: Any) -> None:
    if isinstance(instance, TranslatedEntry) and instance.live:
        take_over(instance)


def _before_save(instance: Any, raw: bool = False, update_fields: Iterable[str] | None = None, **_: Any) -> None:
    if raw or instance.pk is None or not isinstance(instance, TreePage):
        return
    if update_fields is None or not _FOLLOWED.isdisjoint(update_fields):
        stored = Page.objects.filter(pk=instance.pk).values_list("slug", "alias_of_id").first()
        slug, source = stored or (instance.slug, None)
        instance._slug_before = slug if slug != instance.slug else None
        instance._source_before = source if source != instance.alias_of_id else None


def _after_save(instance: Any, raw: bool = False, update_fields: Iterable[str] | None = None, **_: Any) -> None:
    if raw:
        return
    if before := instance.__dict__.pop("_slug_before", None):
        for copy, parent, _obstacle in list(find_followers_of_slug(instance, before, instance.slug)):
            if parent:
                page = copy.specific
                page.slug = instance.slug
                page.save(clean=False)
    source = instance.__dict__.pop("_source_before", None)
    if source and instance.alias_of_id is None:
        begin(instance, Page.objects.get(pk=source), read(instance.specific))
    if isinstance(instance, SiteSetting) and instance.live and not is_bookkeeping(update_fields):
        begin_settings(type(instance))
        take_over(instance)


def _on_moved(instance: Page, parent_page_before: Page, parent_page_after: Page, **_: Any) -> None:
    for copy, parent, _obstacle in list(find_followers_of_move(instance, parent_page_before, parent_page_after)):
        if parent:
            copy.specific.move(parent.specific, pos="last-child")
