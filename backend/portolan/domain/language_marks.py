"""Check quotation marks by the rules of a language."""

import re
from collections.abc import Iterator, Mapping
from typing import Final, NamedTuple

from .text_places import SPACES, Correction, shorten


class Quotes(NamedTuple):
    """The quotation marks of a language."""

    opening: str
    """The usual mark first, then the others that readers accept."""
    closing: str
    inside: str = ""
    """A space between the marks and the quoted text."""


_SWISS: Final = Quotes("«„", "»“")
_QUOTES: Final[Mapping[str, Quotes]] = {
    "ar": Quotes("«“", "»”"),
    "az": Quotes("“«", "”»"),
    "de": Quotes("„»", "“«"),
    "de-CH": _SWISS,
    "de-LI": _SWISS,
    "en": Quotes("“", "”"),
    "fr": Quotes("«“", "»”", "\u202f"),
    "fr-CH": Quotes("«“", "»”"),
    "kk": Quotes("«„", "»“"),
    "pl": Quotes("„«»", "”»«"),
    "ru": Quotes("«„", "»“"),
}
_ANY_QUOTE: Final = re.compile('["„“”«»]')
_BEFORE_OPENING: Final = frozenset(SPACES + "([{–—-/…¿¡'‘’,;:")
_AFTER_CLOSING: Final = frozenset(SPACES + ")]}.,;:!?…–—-/'’،؛؟")


def check_marks(text: str, language: str) -> Iterator[Correction]:
    """Yield the corrections of a prepared text in ``language`` (a tag)."""
    quotes = _QUOTES.get(language) or _QUOTES.get(language.partition("-")[0])
    if quotes is None:
        return
    for start, end in find_quoted(text):
        first, content, last = text[start], text[start + 1 : end - 1].strip(SPACES), text[end - 1]
        fits = first in quotes.opening and last == quotes.closing[quotes.opening.index(first)]
        if content and not fits:
            own = f"{quotes.opening[0]}{quotes.inside}{content}{quotes.inside}{quotes.closing[0]}"
            yield Correction("quotation-marks", shorten(text[start:end]), shorten(own))


def find_quoted(text: str) -> Iterator[tuple[int, int]]:
    """Yield start and end of each quotation, with its marks. Inches and single marks are left out."""
    start: int | None = None
    for found in _ANY_QUOTE.finditer(text):
        place = found.start()
        before, after = text[place - 1 : place], text[place + 1 : place + 2]
        opens = (not before or before in _BEFORE_OPENING) and after not in ("", *_AFTER_CLOSING)
        closes = (not after or after in _AFTER_CLOSING) and before not in ("", *SPACES)
        if found[0] in "«»":
            # French has spaces inside the marks, so the neighbours do not decide.
            opens, closes = found[0] == "«" or (opens and not closes), found[0] == "»" or (closes and not opens)
            opens, closes = (True, False) if opens and start is None else (opens and not closes, closes)
        if opens and not closes:
            start = place
        elif start is not None and not opens:
            yield start, place + 1
            start = None
