"""Check a translated text before it becomes part of a page: only codes that are known, and none lost."""

import re
from collections import Counter
from collections.abc import Collection, Iterator
from typing import Final

from ..segments import Kind
from .inline import Code, codes_of, is_balanced, split

_HARMLESS: Final = re.compile(
    r"</?(?:p|b|i|strong|em|ul|ol|li|h2|h3|h4|blockquote|code)>|<(?:br|hr) ?/?>|&(?:\w+|#\w+);|&|\{\w+\}"
)
"""Codes that a translation may have without its source."""


def find_unknown_code(target: str, kind: Kind, known: Collection[str]) -> str:
    """Return the first code of a translation that is new. Codes of `known` texts and plain formatting are not."""
    data = {code.data for text in known for code in codes_of(split(text, kind))}
    codes = codes_of(split(target, kind))
    return next((code.data for code in codes if code.data not in data and not _HARMLESS.fullmatch(code.data)), "")


def breaks_tags(source: str, target: str, kind: Kind) -> bool:
    """Return whether the translation has tags without an end while those of its source are complete."""
    return is_balanced(split(source, kind)) and not is_balanced(split(target, kind))


def find_lost_codes(source: str, target: str, kind: Kind) -> list[str]:
    """Return placeholders and links of the source that the translation lacks."""
    lost = Counter(_kept(source, kind)) - Counter(_kept(target, kind))
    return list(lost)


def _kept(text: str, kind: Kind) -> Iterator[str]:
    for code in codes_of(split(text, kind)):
        if code.data.startswith("{"):
            yield code.data
        elif _is_link(code):
            yield "<a>"


def _is_link(code: Code) -> bool:
    return code.role == "open" and code.name == "a"
