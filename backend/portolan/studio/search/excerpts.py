"""What of a text is shown around the words that were looked for."""

import re
from collections.abc import Iterable
from typing import Final, NamedTuple

_AROUND: Final = 70
_WORD: Final = re.compile(r"\w+")


class Piece(NamedTuple):
    text: str
    is_found: bool


def split_words(query: str) -> list[str]:
    """
    >>> split_words("Northwind, port-authority")
    ['northwind', 'port', 'authority']
    """
    return list(dict.fromkeys(word.casefold() for word in _WORD.findall(query)))


def mark(text: str, words: Iterable[str]) -> list[Piece]:
    """The text around the first of ``words``, in pieces; its beginning where none of them is in it."""
    flat = " ".join(text.split())
    looked_for = [re.escape(word) for word in words]
    found = re.compile("|".join(looked_for), re.IGNORECASE) if looked_for else None
    first = found.search(flat) if found else None
    start, end = _cut(flat, first.start() if first else 0)
    shown = flat[start:end]
    pieces = [Piece("… ", is_found=False)] if start else []
    at = 0
    for hit in found.finditer(shown) if found else ():
        pieces += [Piece(shown[at : hit.start()], is_found=False), Piece(hit.group(), is_found=True)]
        at = hit.end()
    pieces += [Piece(shown[at:], is_found=False), Piece(" …" if end < len(flat) else "", is_found=False)]
    return [piece for piece in pieces if piece.text]


def _cut(text: str, middle: int) -> tuple[int, int]:
    """Between spaces."""
    start = max(0, middle - _AROUND)
    end = min(len(text), middle + 2 * _AROUND)
    if start:
        start = text.find(" ", start, middle) + 1 or start
    if end < len(text):
        end = max(text.rfind(" ", middle, end), middle + 1) if " " in text[middle:end] else end
    return start, end
