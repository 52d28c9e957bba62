"""Store the texts of source pages when they are published, and mark the translations that they outdate.

Wagtail's own signals are sent after the transaction, so this module uses Django's, as ``releases.changes`` does.
"""

from collections.abc import Collection, Iterable, Mapping
from typing import Any
from uuid import UUID

from django.db import transaction
from django.db.models.signals import post_save
from django.utils import timezone
from wagtail.models import Page

from ..content.pages.base import SitePage
from ..releases.changes import is_bookkeeping
from .models import PageText, SourceText, Translation
from .remembering import remember_draft_later
from .segments import Segment, count_words, digest_of, read_segments
from .sources import find_text, find_texts, site_of, source_site, translated_sites
from .states import count_changed_words


def connect() -> None:
    post_save.connect(_after_save, dispatch_uid="portolan.translations.after_save")


def disconnect() -> None:
    """Disconnect the signal, for tests of data that is older than this package."""
    post_save.disconnect(dispatch_uid="portolan.translations.after_save")


def confirm(key: UUID, sites: Iterable[str], user: Any = None) -> None:
    """Record that the translations correspond to the present text of their sources. Ends their assignments."""
    found = find_texts(key, sites)
    for site, source in found.items():
        _set_base(key, site, source, confirmed_at=timezone.now(), confirmed_by=user, assignee=None, due=None)
    if user is not None:
        remember_draft_later(key, found)


def confirm_texts(key: UUID, site: str, paths: Collection[str], user: Any = None) -> bool:
    """Record that single texts correspond to the source. Return whether the whole translation does now.

    ``paths``: of the source, or of its earlier text if it has removed them.
    """
    source = find_text(key, site)
    if source is None:
        return False
    row, _ = Translation.objects.select_related("base").get_or_create(translation_key=key, site=site)
    now, base = source.text.segments, row.base.segments if row.base else {}
    known = {path: now[path] if path in paths else base.get(path) for path in now}
    removed = {path: text for path, text in base.items() if path not in now and path not in paths}
    text = _text_of({path: text for path, text in {**known, **removed}.items() if text})
    if text.digest == source.text_id:
        confirm(key, [site], user)
        return True
    SourceText.objects.bulk_create([text], ignore_conflicts=True)
    before, row.base = row.base_id, text
    row.outdated_since = row.outdated_since or source.page.last_published_at
    mark_outdated(row, source.text)
    row.save()
    SourceText.objects.filter(pk=before, pages=None, translations=None).delete()
    remember_draft_later(key, [site])
    return False


def confirm_page(page: Page, user: Any = None) -> None:
    """Confirm the page if it is a translation."""
    root = site_of(page.path, page.locale_id)
    if root and not page.alias_of_id:
        confirm(page.translation_key, [root.key], user)


def note_base(page: Page) -> None:
    """Record that the page was made from the present text of its source. Its translation may be incomplete."""
    root = site_of(page.path, page.locale_id)
    if root and (source := find_text(page.translation_key, root.key)):
        _set_base(page.translation_key, root.key, source)


def forget_base(key: UUID, site: str, source: Any) -> None:
    """Record that the translation corresponds to an earlier text of `source`, which is unknown."""
    for row in Translation.objects.filter(translation_key=key, site=site):
        row.base = None
        mark_outdated(row, make_text(source))
        row.save()


def make_text(page: Any) -> SourceText:
    """Return the unsaved texts of a page in memory."""
    return _text_of({segment.path: segment.text for segment in read_segments(page) if segment.text})


def _text_of(texts: Mapping[str, str]) -> SourceText:
    segments = [Segment(path, text) for path, text in texts.items()]
    return SourceText(digest=digest_of(segments), segments=texts, words=sum(map(count_words, texts.values())))


def _after_save(
    instance: Any, created: bool, raw: bool = False, update_fields: Iterable[str] | None = None, **_: Any
) -> None:
    if raw or not isinstance(instance, SitePage):
        return
    was_copy = update_fields is not None and not {"alias_of", "alias_of_id"}.isdisjoint(update_fields)
    if update_fields is not None and not was_copy and is_bookkeeping(update_fields):
        return
    root = site_of(instance.path, instance.locale_id)
    if root is None:
        return
    if source_site(root.key) and not instance.alias_of_id:
        _note_translation(instance, root.key, is_new=created or was_copy)
    sites = translated_sites(root.key)
    if sites and instance.live and (update_fields is None or not is_bookkeeping(update_fields)):
        _note_text(instance, sites)


def _note_translation(page: SitePage, site: str, is_new: bool) -> None:
    """Set the base of a new page, and of one that goes live and has none, such as the home page of a new site."""
    is_known = Translation.objects.filter(translation_key=page.translation_key, site=site).exists()
    if (is_new or (page.live and not is_known)) and (source := find_text(page.translation_key, site)):
        _set_base(page.translation_key, site, source)


def _set_base(key: UUID, site: str, source: PageText, **values: Any) -> None:
    now = {"base": source.text, "outdated_since": None, "outdated_words": 0, **values}
    Translation.objects.update_or_create(translation_key=key, site=site, defaults=now)


def _note_text(page: SitePage, sites: Iterable[str]) -> None:
    text = make_text(page)
    known = PageText.objects.filter(pk=page.pk).first()
    if known and known.text_id == text.digest:
        return
    with transaction.atomic():
        SourceText.objects.bulk_create([text], ignore_conflicts=True)
        PageText.objects.update_or_create(page_id=page.pk, defaults={"text": text})
        rows = list(
            Translation.objects.filter(translation_key=page.translation_key, site__in=sites).select_related("base")
        )
        for row in rows:
            mark_outdated(row, text)
        Translation.objects.bulk_update(rows, ["outdated_since", "outdated_words"])
        if known:
            SourceText.objects.filter(pk=known.text_id, pages=None, translations=None).delete()


def mark_outdated(row: Translation, text: SourceText) -> None:
    """Set whether and since when the translation differs from the source's new text."""
    if row.base_id == text.digest:
        row.outdated_since, row.outdated_words = None, 0
        return
    row.outdated_since = row.outdated_since or (timezone.now() if row.base else None)
    row.outdated_words = count_changed_words(row.base.segments, text.segments) if row.base else text.words
