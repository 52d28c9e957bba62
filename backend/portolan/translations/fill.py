"""Fill the tables for pages that are older than this package.

The base of a translation is the source's text that was live at the translation's last change. Wagtail's log has the
times of all publishes and their revisions.
"""

import logging
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from operator import attrgetter
from typing import Any, Final, NamedTuple

from django.db import transaction
from wagtail.models import Page, PageLogEntry, Revision

from ..content.page_rows import chunks
from ..content.pages import PAGE_TYPES
from ..content.site_records import load_site_roots
from .models import PageText, SourceText, Translation
from .sources import site_of, source_sites
from .states import count_changed_words
from .tracking import make_text

_log: Final = logging.getLogger(__name__)
_AT_ONCE: Final = 100


class _Publish(NamedTuple):
    at: datetime
    revision: int | None


class _Work(NamedTuple):
    """A translation whose base is sought."""

    page: Page
    site: str
    source: Page
    text: SourceText


def fill_tables() -> None:
    """Fill the tables, unless they are filled or there are no pages."""
    if PageText.objects.exists():
        return
    with transaction.atomic():
        texts = dict(_fill_texts())
        if not texts:
            return
        for works in chunks(list(_find_works(texts))):
            Translation.objects.bulk_create(_make_rows(works), batch_size=_AT_ONCE)


def _fill_texts() -> Iterator[tuple[int, SourceText]]:
    """Store the texts of live source pages, and yield them by the ID of their page."""
    locales = {root.locale_id for key, root in load_site_roots().items() if key in source_sites().values()}
    for page_type in PAGE_TYPES:
        pages = page_type.objects.filter(locale_id__in=locales, live=True).order_by("pk")
        found: dict[int, SourceText] = {}
        for page in pages.iterator(_AT_ONCE):
            if site_of(page.path, page.locale_id):
                found[page.pk] = make_text(page)
        SourceText.objects.bulk_create(found.values(), batch_size=_AT_ONCE, ignore_conflicts=True)
        PageText.objects.bulk_create(
            (PageText(page_id=id, text_id=text.digest) for id, text in found.items()), batch_size=_AT_ONCE
        )
        yield from found.items()


def _find_works(texts: Mapping[int, SourceText]) -> Iterator[_Work]:
    roots = load_site_roots()
    fields = (
        "pk",
        "path",
        "locale_id",
        "translation_key",
        "alias_of_id",
        "last_published_at",
        "latest_revision_created_at",
    )
    pages = list(Page.objects.filter(locale_id__in=[root.locale_id for root in roots.values()]).only(*fields))
    sources = {(page.translation_key, page.locale_id): page for page in pages if page.pk in texts}
    for page in pages:
        root = None if page.alias_of_id else site_of(page.path, page.locale_id)
        of_source = root and roots.get(source_sites().get(root.key, ""))
        source = of_source and sources.get((page.translation_key, of_source.locale_id))
        if root and source:
            yield _Work(page, root.key, source, texts[source.pk])


def _make_rows(works: Iterable[_Work]) -> list[Translation]:
    changed = [work for work in works if _was_changed_after(work)]
    published = _read_publishes({work.source.pk for work in changed})
    wanted = {}
    for work in changed:
        before = [one for one in published[work.source.pk] if one.at <= _time_of(work)]
        wanted[work.page.pk] = before[-1].revision if before else None
    bases = _read_bases({id for id in wanted.values() if id})
    rows = []
    for work in works:
        row = Translation(translation_key=work.page.translation_key, site=work.site, base_id=work.text.digest)
        if work.page.pk in wanted:
            base = bases.get(wanted[work.page.pk] or 0)
            row.base = base
            if base is None:
                row.outdated_words = work.text.words
            elif base.digest != work.text.digest:
                after = (one.at for one in published[work.source.pk] if one.at > _time_of(work))
                row.outdated_since = next(after, work.source.last_published_at)
                row.outdated_words = count_changed_words(base.segments, work.text.segments)
        rows.append(row)
    return rows


def _was_changed_after(work: _Work) -> bool:
    """Return whether the source was published after the translation's last change."""
    return work.source.last_published_at is not None and work.source.last_published_at > _time_of(work)


def _time_of(work: _Work) -> datetime:
    page = work.page
    time: datetime | None = page.last_published_at or page.latest_revision_created_at or work.source.last_published_at
    assert time is not None
    return time


def _read_publishes(sources: Iterable[int]) -> Mapping[int, list[_Publish]]:
    """Return the publishes of pages by ID, oldest first."""
    found: dict[int, list[_Publish]] = defaultdict(list)
    for some in chunks(sorted(sources)):
        entries = PageLogEntry.objects.filter(page_id__in=some, action="wagtail.publish").order_by("timestamp")
        for id, at, revision in entries.values_list("page_id", "timestamp", "revision_id"):
            found[id].append(_Publish(at, revision))
    return found


def _read_bases(revisions: Iterable[int]) -> Mapping[int, SourceText]:
    """Return the texts of revisions by ID, leaving out unreadable ones."""
    found: dict[int, SourceText] = {}
    for some in chunks(sorted(revisions)):
        for revision in Revision.objects.filter(pk__in=some).select_related("content_type"):
            if text := _read_text(revision):
                found[revision.pk] = text
    texts = sorted({text.digest: text for text in found.values()}.values(), key=attrgetter("digest"))
    SourceText.objects.bulk_create(texts, batch_size=_AT_ONCE, ignore_conflicts=True)
    return found


def _read_text(revision: Any) -> SourceText | None:
    try:
        return make_text(revision.as_object())
    except Exception:  # revisions may be of any earlier version
        _log.warning("Revision %s cannot be read. Translations of its page count as outdated.", revision.pk)
        return None
