"""Cut excerpts around the words of a search."""

import re
from collections.abc import Iterable
from typing import Final, NamedTuple

from ...domain.letters import compose, fold

_AROUND: Final = 70
_WORD: Final = re.compile(r"\w+")


class Piece(NamedTuple):
    text: str
    is_found: bool


def split_words(query: str) -> list[str]:
    """Return the words of a query, folded.

    >>> split_words("Northwind, Größe")
    ['northwind', 'grosse']
    """
    return list(dict.fromkeys(fold(word) for word in _WORD.findall(compose(query))))


def mark(text: str, words: Iterable[str]) -> list[Piece]:
    """Return the text around the first of ``words`` in pieces, or the text's beginning. ``words`` are folded."""
    flat = compose(" ".join(text.split()))
    found = _find(flat, words)
    start, end = _cut(flat, found[0][0] if found else 0)
    pieces = [Piece("… ", is_found=False)] if start else []
    at = start
    for first, last in found:
        if at <= first and last <= end:
            pieces += [Piece(flat[at:first], is_found=False), Piece(flat[first:last], is_found=True)]
            at = last
    pieces += [Piece(flat[at:end], is_found=False), Piece(" …" if end < len(flat) else "", is_found=False)]
    return [piece for piece in pieces if piece.text]


def _find(text: str, words: Iterable[str]) -> list[tuple[int, int]]:
    """Return the places of the words in the unfolded text. A letter may fold to two letters or to none."""
    looked_for = [re.escape(word) for word in words]
    if not looked_for:
        return []
    letters = [fold(letter) for letter in text]
    origin = [index for index, folded in enumerate(letters) for _ in folded]
    hits = re.finditer("|".join(looked_for), "".join(letters))
    return [(origin[hit.start()], origin[hit.end() - 1] + 1) for hit in hits]


def _cut(text: str, middle: int) -> tuple[int, int]:
    """Return start and end of the excerpt, at spaces."""
    start = max(0, middle - _AROUND)
    end = min(len(text), middle + 2 * _AROUND)
    if start:
        start = text.find(" ", start, middle) + 1 or start
    if end < len(text):
        end = max(text.rfind(" ", middle, end), middle + 1) if " " in text[middle:end] else end
    return start, end
