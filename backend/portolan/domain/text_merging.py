"""Merge two changes of one text, word by word."""

import re
from difflib import SequenceMatcher
from itertools import pairwise
from typing import Final, NamedTuple

_TOKEN: Final = re.compile(r"<[^<>]*>|\s+|[^\s<]+|<")
_MOST_TOKENS: Final = 5000
"""Longer texts are not merged: the comparison takes quadratic time."""


class _Edit(NamedTuple):
    start: int
    end: int
    new: tuple[str, ...]


def merge_texts(base: str, theirs: str, mine: str) -> str | None:
    """Return the text with both changes; None if they touch the same words, or both change the markup.

    >>> merge_texts("We build good sites.", "We build great sites.", "We build good sites, quickly.")
    'We build great sites, quickly.'
    >>> merge_texts("We build sites.", "We build apps.", "We build shops.") is None
    True
    """
    tokens = _TOKEN.findall(base)
    sides = [_TOKEN.findall(each) for each in (theirs, mine)]
    if max(map(len, (tokens, *sides))) > _MOST_TOKENS:
        return None
    before, *after = (_tags(each) for each in (tokens, *sides))
    if before not in after and after[0] != after[1]:
        return None
    edits = sorted({edit for side in sides for edit in _edits(tokens, side)})
    for first, second in pairwise(edits):
        if second.start <= first.end:
            return None
    for edit in reversed(edits):
        tokens[edit.start : edit.end] = edit.new
    return "".join(tokens)


def _edits(before: list[str], after: list[str]) -> list[_Edit]:
    codes = SequenceMatcher(None, before, after, autojunk=False).get_opcodes()
    return [_Edit(start, end, tuple(after[low:high])) for code, start, end, low, high in codes if code != "equal"]


def _tags(tokens: list[str]) -> list[str]:
    return [token for token in tokens if token.startswith("<")]
