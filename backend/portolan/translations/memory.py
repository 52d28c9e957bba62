"""The translation memory: store pairs of texts, and find those whose source is equal or similar.

Similar texts share some of their longest words, which are rare. Each entry is stored under the pairs of its five longest
words, so that few entries have to be compared.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from difflib import SequenceMatcher
from hashlib import blake2b, sha256
from html import unescape
from itertools import combinations
from typing import Final, NamedTuple

from django.utils import timezone

from .models import MemoryEntry, MemoryKey

LEAST_PERCENT: Final = 75
_TAG: Final = re.compile(r"</?[a-zA-Z][^<>]*>")
_TOKEN: Final = re.compile(r"\w+|[^\w\s]")
_KEY_WORDS: Final = 5
_COMPARED: Final = 8
"""Entries that are compared with one text."""
_MOST_ROWS: Final = 20_000
_LONGEST: Final = 4000
"""Longer texts are only found if they are equal."""
_AT_ONCE: Final = 500


class Match(NamedTuple):
    source: str
    """The source's text in the memory."""
    text: str
    percent: int
    """100 for an equal source, including its tags."""


def remember(languages: str, pairs: Iterable[tuple[str, str]]) -> None:
    """Store pairs of a text and its translation. Pairs without words, and equal texts, are left out."""
    entries = {
        (entry.source_digest, entry.text_digest): entry
        for source, text in pairs
        if source != text and _words(source) and _words(text)
        for entry in [_entry(languages, source, text)]
    }
    known = MemoryEntry.objects.filter(
        languages=languages, source_digest__in={digest for digest, _ in entries}
    ).values_list("source_digest", "text_digest")
    is_known = set(known)
    stored = MemoryEntry.objects.bulk_create(
        entries.values(),
        batch_size=_AT_ONCE,
        update_conflicts=True,
        update_fields=["used_at"],
        unique_fields=["languages", "source_digest", "text_digest"],
    )
    keys = [
        MemoryKey(entry=entry, key=key)
        for entry in stored
        if (entry.source_digest, entry.text_digest) not in is_known
        for key in keys_of(languages, entry.source)
    ]
    MemoryKey.objects.bulk_create(keys, batch_size=_AT_ONCE, ignore_conflicts=True)


def find_matches(languages: str, texts: Sequence[str], most: int = 3) -> Mapping[str, list[Match]]:
    """Return the best matches of each text, the newest of equal ones. Few queries for any number of texts."""
    wanted = dict.fromkeys(texts)
    found: dict[str, list[Match]] = defaultdict(list)
    digests = {_digest(text): text for text in wanted}
    equal = MemoryEntry.objects.filter(languages=languages, source_digest__in=digests)
    for digest, text in equal.order_by("-used_at").values_list("source_digest", "text"):
        if len(found[digests[digest]]) < most:
            found[digests[digest]].append(Match(digests[digest], text, 100))
    candidates = _find_candidates(languages, [text for text in wanted if text not in found])
    rows = MemoryEntry.objects.in_bulk({id for ids in candidates.values() for id in ids})
    tokens = {id: _tokens(row.source) for id, row in rows.items()}
    for text, ids in candidates.items():
        own = _tokens(text)
        comparison = SequenceMatcher(None, b=own, autojunk=False)
        matches = []
        for id in ids:
            if id in rows and (percent := _compare(comparison, tokens[id])) >= LEAST_PERCENT:
                matches.append((percent, rows[id].used_at, Match(rows[id].source, rows[id].text, percent)))
        found[text] = [match for *_, match in sorted(matches, key=lambda one: one[:2], reverse=True)[:most]]
    return found


def keys_of(languages: str, text: str) -> set[int]:
    """Return the keys of a text. Similar texts share at least one."""
    if len(text) > _LONGEST:
        return set()
    words = sorted({word.casefold() for word in _words(text)}, key=lambda word: (-len(word), word))[:_KEY_WORDS]
    pairs = combinations(sorted(words), 2) if len(words) > 1 else [(word,) for word in words]
    return {_hash(languages, *pair) for pair in pairs}


def _find_candidates(languages: str, texts: Iterable[str]) -> Mapping[str, list[int]]:
    """Return the IDs of entries that share most keys with each text."""
    keys = {text: keys_of(languages, text) for text in texts}
    entries: dict[int, list[int]] = defaultdict(list)
    wanted = {key for of_text in keys.values() for key in of_text}
    for key, id in MemoryKey.objects.filter(key__in=wanted).values_list("key", "entry_id")[:_MOST_ROWS]:
        entries[key].append(id)
    return {
        text: [id for id, _ in Counter(id for key in of_text for id in entries[key]).most_common(_COMPARED)]
        for text, of_text in keys.items()
    }


def _compare(comparison: "SequenceMatcher[str]", tokens: list[str]) -> int:
    """Return how similar two texts are, at most 99 percent."""
    comparison.set_seq1(tokens)
    least = LEAST_PERCENT / 100
    if comparison.real_quick_ratio() < least or comparison.quick_ratio() < least:
        return 0
    return min(99, int(comparison.ratio() * 100))


def _entry(languages: str, source: str, text: str) -> MemoryEntry:
    return MemoryEntry(
        languages=languages,
        source_digest=_digest(source),
        text_digest=_digest(text),
        source=source,
        text=text,
        used_at=timezone.now(),
    )


def _digest(text: str) -> str:
    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def _hash(*words: str) -> int:
    return int.from_bytes(blake2b("\0".join(words).encode(), digest_size=8).digest(), signed=True)


def _tokens(text: str) -> list[str]:
    return _TOKEN.findall(unescape(_TAG.sub(" ", text)))


def _words(text: str) -> list[str]:
    return [token for token in _tokens(text) if token[0].isalpha()]
