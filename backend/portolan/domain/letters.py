"""Fold and transliterate letters. The only module that decides which letters are equal.

- ``fold``: for search. Texts that a person would call equal fold to the same text.
- ``write_slug``: for URLs and file names: ASCII letters, digits and hyphens. ``slug_rules`` is the same for browsers.

``letter_order`` sorts names. ``schemas.visible_text`` finds invisible characters.
"""

import re
from collections import defaultdict
from collections.abc import Mapping
from functools import lru_cache
from typing import Final
from unicodedata import category, combining, decimal, normalize

from anyascii import anyascii

_SAME: Final = str.maketrans(
    {
        letter: plain
        for letters, plain in (
            *zip("ıəłđðħŧŋøæœþ", ("i", "e", "l", "d", "d", "h", "t", "n", "o", "ae", "oe", "th"), strict=True),
            # Kazakh, Ukrainian, Belarusian, as people type them on a Russian keyboard
            ("ә", "а"), ("ғґ", "г"), ("қ", "к"), ("ң", "н"), ("ө", "о"), ("ұүў", "у"), ("һ", "х"), ("ії", "и"), ("є", "е"),
            # Arabic and Persian; tatweel (U+0640) only stretches a word
            ("أإآٱ", "ا"), ("ىیئ", "ي"), ("ة", "ه"), ("ؤ", "و"), ("ک", "ك"), ("\u0640", ""),
        )
        for letter in letters
    }
)  # fmt: skip
"""Letters that Unicode does not decompose, but that people type without marks when they search."""
_KEPT: Final = frozenset("й")
"""Decomposed by Unicode, but a separate letter to its readers."""

_SPELT: Final[Mapping[str, Mapping[str, str]]] = {
    "de": {"ä": "ae", "ö": "oe", "ü": "ue"},
    "da": {"å": "aa", "æ": "ae", "ø": "oe"},
    "nb": {"å": "aa", "æ": "ae", "ø": "oe"},
    "nn": {"å": "aa", "æ": "ae", "ø": "oe"},
    "uk": {"и": "y", "і": "i", "ї": "i", "й": "i", "г": "h", "ґ": "g", "є": "ie", "ю": "iu", "я": "ia", "х": "kh"},
}
"""By language: its spelling of letters without marks. ``anyascii`` writes all others."""
_DROPPED: Final = re.compile(r"[.'’‘`´ʼʹʻ]")
_BETWEEN: Final = re.compile(r"[^a-z0-9]+")
_MAPPED: Final = ((0xAA, 0x02B0), (0x0370, 0x0530), (0x0620, 0x0700), (0x1E00, 0x1F00))
"""Code point ranges that a browser transliterates: Latin, Greek, Cyrillic, Arabic. The server writes the slugs of other
scripts.
"""


def fold(text: str) -> str:
    """Return the text for comparison: without case, accents, vowel marks and invisible characters.

    >>> fold("MƏLUMATIN") == fold("məlumatın"), fold("Straße"), fold("İlqar")
    (True, 'strasse', 'ilqar')
    """
    if text.isascii():
        return text.lower()
    return compose(text).translate(_FOLDED)


def _fold_letter(letter: str) -> str:
    """Return a composed letter folded: zero, one or more letters."""
    small = letter.casefold().translate(_SAME)
    if small in _KEPT:
        return small
    parts = [part for part in normalize("NFKD", small) if not combining(part) and category(part) != "Cf"]
    digits = (str(decimal(part, part)) for part in parts)
    return "".join(digits).casefold().translate(_SAME)


class _Folded(dict[int, str]):
    """Cache of folded letters for ``str.translate``."""

    def __missing__(self, code: int) -> str:
        self[code] = folded = _fold_letter(chr(code))
        return folded


_FOLDED: Final = _Folded()


def compose(text: str) -> str:
    """Return the text in Unicode's composed form, in which one letter has one spelling."""
    return text if text.isascii() else normalize("NFC", text)


def transliterate(text: str, language: str = "") -> str:
    """Return letters and digits in ASCII, as ``language`` (a tag) writes them. Emoji become hyphens.

    >>> transliterate("Über œuvre", "de-DE"), transliterate("Über", "fr")
    ('Ueber oeuvre', 'Uber')
    """
    own = _spelling(language)
    return "".join(own.get(letter) or _ascii(letter) for letter in compose(text))


def write_slug(text: str, language: str = "") -> str:
    """Return the text as a part of a URL; empty if it lacks letters and digits.

    >>> write_slug("Über-Uns", "de"), write_slug("L’œuvre – 2020"), write_slug("😀")
    ('ueber-uns', 'loeuvre-2020', '')
    """
    plain = _DROPPED.sub("", transliterate(text, language)).lower()
    return _BETWEEN.sub("-", plain).strip("-")


@lru_cache(maxsize=64)
def slug_rules(language: str = "") -> tuple[tuple[str, str], ...]:
    """Return ``write_slug`` as pairs of a regular expression and a replacement, for the browser.

    The expressions mean the same in Python and JavaScript. Apply them in order.
    """
    letters: defaultdict[str, list[str]] = defaultdict(list)
    for letter in (chr(code) for first, last in _MAPPED for code in range(first, last)):
        if letter.isalnum():
            letters[_DROPPED.sub("", transliterate(letter, language))].append(letter)
    decomposed = [(normalize("NFD", letter), written) for letter, written in _spelling(language).items()]
    return (
        *((letter, written) for letter, written in decomposed if len(letter) > 1),
        *((f"[{''.join(same)}]", written) for written, same in letters.items()),
        (r"[\u0300-\u036f\u064b-\u065f\u200b-\u200f]", ""),
        (_DROPPED.pattern, ""),
        (r"[^A-Za-z0-9]+", "-"),
        (r"^-|-$", ""),
    )


@lru_cache(maxsize=4096)
def _ascii(letter: str) -> str:
    if letter.isascii():
        return letter
    if category(letter)[0] in "LN":
        return anyascii(letter)
    return "" if category(letter) in ("Mn", "Cf") or _DROPPED.match(letter) else "-"


@lru_cache(maxsize=64)
def _spelling(language: str) -> Mapping[str, str]:
    small = _SPELT.get(language.partition("-")[0].lower(), {})
    return {**small, **{letter.upper(): written.capitalize() for letter, written in small.items()}}
