"""Fold, transliterate and trim letters. The only place that decides which letters count as the same.

- ``fold``: for search. Two texts that a searcher would call equal fold to the same text.
- ``write_slug``: for URLs and file names. ASCII letters, digits and hyphens.
- ``trim``: without whitespace and invisible characters at both ends.

The order of names is in ``letter_order``.
"""

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Final
from unicodedata import category, combining, decimal, normalize

from anyascii import anyascii

INVISIBLE: Final = (
    r"\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u2800\u3164"
    r"\ufeff\uffa0\ufff0-\ufff8"
)
"""For a character class of a regular expression: characters that show nothing. Unicode calls them default ignorable, except
for the Braille blank (U+2800)."""
SELECTORS: Final = r"\ufe00-\ufe0f"
"""Variation selectors: they show nothing, but choose how the character before them looks, so they stay at a text's end."""

_ENDS: Final = re.compile(rf"\A[\s\x00-\x1f{INVISIBLE}]+|[\s\x00-\x1f{INVISIBLE}]+\Z")
_VISIBLE: Final = re.compile(rf"[^\s\x00-\x1f{INVISIBLE}{SELECTORS}\U000e0000-\U000e0fff]")

_SAME: Final = str.maketrans(
    {
        **dict(zip("ıəłøđðħŧŋ", ("i", "e", "l", "o", "d", "d", "h", "t", "n"), strict=True)),
        "æ": "ae",
        "œ": "oe",
        "þ": "th",
        # Kazakh and its neighbours, as people type them on a Russian keyboard
        **dict(zip("әғқңөұүһіїєґў", "агкноуухиіегу", strict=True)),
        "ї": "и",
        # Arabic and Persian
        **dict(zip("أإآٱىیئةؤک", "ااااييىهوك", strict=True)),
        "ئ": "ي",
        "\u0640": "",  # tatweel stretches a word
    }
)
"""Letters that Unicode does not decompose, but that people leave their marks off when they search."""
_KEPT: Final = frozenset("й")
"""Decomposed by Unicode, but a letter of its own for everybody who reads it."""

_SPELT: Final[Mapping[str, Mapping[str, str]]] = {
    "de": {"ä": "ae", "ö": "oe", "ü": "ue"},
    "da": {"å": "aa", "æ": "ae", "ø": "oe"},
    "nb": {"å": "aa", "æ": "ae", "ø": "oe"},
    "nn": {"å": "aa", "æ": "ae", "ø": "oe"},
    "uk": {"и": "y", "і": "i", "ї": "i", "й": "i", "г": "h", "ґ": "g", "є": "ie", "ю": "iu", "я": "ia", "х": "kh"},
}
"""How a language writes its letters without marks. All others are written as ``anyascii`` does."""
_DROPPED: Final = re.compile(r"[.'’‘`´ʼʹʻ]")
_BETWEEN: Final = re.compile(r"[^a-z0-9]+")
_MAPPED: Final = ((0x80, 0x0250), (0x0370, 0x0530), (0x0620, 0x0700), (0x1E00, 0x1F00))
"""Blocks of the letters that a browser transliterates: Latin, Greek, Cyrillic, Arabic. Others are transliterated when the
page is saved."""


def fold(text: str) -> str:
    """Return the text for comparison: without case, accents, vowel marks and invisible characters.

    >>> fold("MƏLUMATIN") == fold("məlumatın"), fold("Straße"), fold("İlqar")
    (True, 'strasse', 'ilqar')
    """
    if text.isascii():
        return text.lower()
    return "".join(map(fold_letter, compose(text)))


@lru_cache(maxsize=4096)
def fold_letter(letter: str) -> str:
    """Return a composed letter folded: zero, one or more letters."""
    small = letter.casefold().translate(_SAME)
    if small in _KEPT:
        return small
    parts = [part for part in normalize("NFKD", small) if not combining(part) and category(part) != "Cf"]
    digits = (str(decimal(part, part)) for part in parts)
    return "".join(digits).casefold().translate(_SAME)


def compose(text: str) -> str:
    """Return the text in Unicode's composed form, in which one letter has one spelling."""
    return text if text.isascii() else normalize("NFC", text)


def trim(text: str) -> str:
    """Return the text without whitespace and invisible characters at its ends; empty if it shows nothing.

    >>> trim("\u200bAda\u00a0\u3164")
    'Ada'
    """
    return _ENDS.sub("", text) if _VISIBLE.search(text) else ""


def transliterate(text: str, language: str = "") -> str:
    """Return letters and digits in ASCII, as ``language`` (a tag) writes them. Emoji become hyphens.

    >>> transliterate("Über œuvre", "de-DE"), transliterate("Über", "fr")
    ('Ueber oeuvre', 'Uber')
    """
    own = _spelling(language)
    return "".join(own.get(letter) or _ascii(letter) for letter in compose(text))


def write_slug(text: str, language: str = "") -> str:
    """Return the text as a part of a URL; empty if it has no letter and no digit.

    >>> write_slug("Über-Uns", "de"), write_slug("L’œuvre – 2020"), write_slug("😀")
    ('ueber-uns', 'loeuvre-2020', '')
    """
    plain = _DROPPED.sub("", transliterate(text, language)).lower()
    return _BETWEEN.sub("-", plain).strip("-")


def letters_for_scripts(language: str = "") -> dict[str, str]:
    """Return the small letters whose slug a browser cannot find by removing marks, each with its slug.

    It is the table of ``studio/page-slug.js``, which does what ``write_slug`` does.
    """
    letters = (chr(code) for first, last in _MAPPED for code in range(first, last))
    small = (letter for letter in letters if letter == letter.lower() == compose(letter))
    written = ((letter, _DROPPED.sub("", transliterate(letter, language)).lower()) for letter in small)
    return {letter: slug for letter, slug in written if slug != _without_marks(letter)}


@lru_cache(maxsize=4096)
def _ascii(letter: str) -> str:
    if letter.isascii():
        return letter
    if category(letter)[0] in "LN":
        return anyascii(letter)
    return "" if category(letter) in ("Mn", "Cf") or _DROPPED.match(letter) else "-"


def _without_marks(letter: str) -> str:
    """What the browser makes of a letter that is not in the table."""
    plain = "".join(part for part in normalize("NFKD", letter) if not combining(part))
    return plain if plain.isascii() and plain.isalnum() else "-"


@lru_cache(maxsize=64)
def _spelling(language: str) -> Mapping[str, str]:
    small = _SPELT.get(language.partition("-")[0].lower(), {})
    return {**small, **{letter.upper(): written.capitalize() for letter, written in small.items()}}
