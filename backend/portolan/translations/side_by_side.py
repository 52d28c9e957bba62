"""Read the texts of a page next to those of its source, and save changed ones as a draft."""

from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import Any, NamedTuple
from uuid import UUID

from django.db import transaction

from .exchange.pages import Pair, draft_of, find_ids_by_key, find_roots, load_pairs
from .models import PageText, Translation
from .segments import Segment, match, read_segments, with_segments
from .sources import find_text, memory_languages


class TextState(StrEnum):
    """Used in the studio's HTML."""

    UNTRANSLATED = "untranslated"
    CHANGED = "changed"
    """The source has changed since the translation, or its text at that time is unknown."""
    REMOVED = "removed"
    """The source no longer has the text."""
    DONE = "done"


class TextPair(NamedTuple):
    """A text of the source and its translation in the newest draft."""

    path: str
    """Path in the source, or in its earlier text if it was removed."""
    source: str
    before: str | None
    """The source's text that the translation corresponds to; None if it is unknown."""
    place: Segment
    """The text's place in the translation."""
    state: TextState


class SideBySide(NamedTuple):
    """A page that is edited next to its source."""

    key: UUID
    site: str
    source: Any
    """The published source page."""
    draft: Any
    """The newest draft of the translation, in memory."""
    texts: Sequence[TextPair]
    missing: Sequence[Segment]
    """New texts of the source for which the translation has no block."""


def find_pair(key: UUID, site: str) -> tuple[Pair, PageText] | None:
    """Return the page of `site` and its source; None unless the source is published."""
    text = find_text(key, site)
    source, own = find_roots(site)
    pair = next(load_pairs(find_ids_by_key(source, [key]), own), None) if text else None
    return (pair, text) if pair and text else None


def read_side_by_side(pair: Pair, site: str) -> SideBySide:
    """Return the texts of a translation that exists, in the order of its source."""
    key, draft = pair.source.translation_key, draft_of(pair.page)
    source = {segment.path: segment for segment in read_segments(pair.source, with_empty=True)}
    own = {segment.path: segment for segment in read_segments(draft, with_empty=True)}
    places = match(list(source.values()), list(own.values()))
    row = Translation.objects.filter(translation_key=key, site=site).select_related("base").first()
    base = row.base.segments if row and row.base else None
    is_foreign = memory_languages(site) is not None
    texts = []
    for path, segment in source.items():
        place, before = own.get(places.get(path, "")), (base or {}).get(path)
        if place and (segment.text or (before and place.text)):
            is_copy = is_foreign and place.text == segment.text and (not draft.live or before != segment.text)
            state = _state(segment.text, before, place.text, is_copy)
            was = before if base is None else before or ""
            texts.append(TextPair(path, segment.text, was, place, state))
    for path, before in (base or {}).items():
        if path not in source and (place := own.get(path)) and place.text:
            texts.append(TextPair(path, "", before, place, TextState.REMOVED))
    known = base or {}
    missing = [
        segment
        for path, segment in source.items()
        if segment.text and path not in places and known.get(path) != segment.text
    ]
    return SideBySide(key, site, pair.source, draft, texts, missing)


def save_texts(shown: SideBySide, texts: Mapping[str, str], user: Any) -> None:
    """Save texts by path of the translation in a new draft."""
    with transaction.atomic():
        with_segments(shown.draft, texts).save_revision(user=user, log_action=True, clean=False)


def _state(source: str, before: str | None, own: str, is_copy: bool) -> TextState:
    if not source:
        return TextState.REMOVED
    if not own or is_copy:
        return TextState.UNTRANSLATED
    return TextState.DONE if before == source else TextState.CHANGED
