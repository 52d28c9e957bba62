"""Put texts into the translation memory when a person publishes or confirms a translation."""

from collections.abc import Iterable, Mapping
from functools import partial
from typing import Any
from uuid import UUID

from django.db import transaction
from django.db.models.signals import post_save
from wagtail.models import Page, PageLogEntry

from ..content.page_rows import chunks
from ..content.site_records import load_site_roots
from .memory import remember
from .models import MemoryEntry, Translation
from .segments import match, read_segments
from .sources import find_text, memory_languages, site_of


def connect() -> None:
    post_save.connect(_after_log, sender=PageLogEntry, dispatch_uid="portolan.translations.after_log")


def remember_page(page: Any, base: Mapping[str, str] | None = None) -> None:
    """Store the texts of a translation, as it is in memory, with the source's texts that they correspond to.

    ``base``: the source's text at the time of the translation; by default the texts that have not changed since.
    """
    root = site_of(page.path, page.locale_id)
    languages = memory_languages(root.key) if root and not page.alias_of_id else None
    source = find_text(page.translation_key, root.key) if root and languages else None
    if root is None or languages is None or source is None:
        return
    if base is None:
        row = Translation.objects.filter(translation_key=page.translation_key, site=root.key).select_related("base")
        now = source.text.segments
        known: Mapping[str, str] = next((one.base.segments for one in row if one.base), {})
        base = {path: text for path, text in known.items() if now.get(path) == text}
    own = {segment.path: segment.text for segment in read_segments(page, with_empty=True) if segment.text}
    places = match(read_segments(source.page.specific, with_empty=True), read_segments(page, with_empty=True))
    pairs = ((text, own.get(places.get(path, ""), "")) for path, text in base.items())
    remember(languages, [(source_text, text) for source_text, text in pairs if text])


def remember_draft_later(key: UUID, sites: Iterable[str]) -> None:
    """Store the texts of drafts that a person has confirmed, after the transaction."""
    for site in sites:
        if memory_languages(site):
            transaction.on_commit(partial(_remember_draft, key, site), robust=True)


def fill_memory() -> None:
    """Store the live translations that are older than the memory, unless it has entries."""
    if MemoryEntry.objects.exists():
        return
    rows = Translation.objects.exclude(base=None).values_list("site", "pk")
    wanted = [pk for site, pk in rows if memory_languages(site)]
    for some in chunks(wanted):
        found = Translation.objects.filter(pk__in=some).select_related("base")
        bases = {(row.translation_key, row.site): row.base for row in found}
        keys = {key for key, _ in bases}
        for page in Page.objects.filter(translation_key__in=keys, live=True, alias_of=None).specific():
            root = site_of(page.path, page.locale_id)
            base = bases.get((page.translation_key, root.key)) if root else None
            if base:
                remember_page(page, base.segments)


def _after_log(instance: Any, created: bool, raw: bool = False, **_: Any) -> None:
    """Store a page that a person publishes. An import of whole sites has no person, and would take long."""
    if created and not raw and instance.action == "wagtail.publish" and instance.user_id:
        transaction.on_commit(partial(_remember_live, instance.page_id), robust=True)


def _remember_live(page_id: int) -> None:
    page = Page.objects.filter(pk=page_id, live=True).specific().first()
    if page is not None:
        remember_page(page)


def _remember_draft(key: UUID, site: str) -> None:
    root = load_site_roots()[site]
    page = Page.objects.filter(translation_key=key, locale_id=root.locale_id, path__startswith=root.root_path).first()
    if page is not None:
        remember_page(page.get_latest_revision_as_object())
