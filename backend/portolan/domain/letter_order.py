"""Sort names in the order that readers of a language expect.

Python and SQLite compare code points, so that "Über" comes after "Wartung". These rules follow Unicode's collation as
far as names need it: letters before accents before case, marks and punctuation first, and each alphabet's extra letters
in their place. Letters of two characters (Hungarian ``cs``) are not supported.
"""

from collections.abc import Mapping
from functools import lru_cache
from typing import Final
from unicodedata import combining, normalize

from .letters import compose, fold

_EVERYWHERE: Final = "eə"
_ALPHABETS: Final[Mapping[str, str]] = {
    "az": "cç gğ hxı kq oö sş uü",
    "cs": "cč rř sš zž",
    "da": "zæøå",
    "es": "nñ",
    "et": "sšžz uv wõäöü",
    "fi": "zåäö",
    "hr": "cčć dđ sš zž",
    "hu": "oö uü",
    "kk": "аә гғ кқ нң оө уұү хһ ыі",
    "lt": "cč sš zž",
    "lv": "cč gģ kķ lļ nņ sš zž",
    "nb": "zæøå",
    "nn": "zæøå",
    "no": "zæøå",
    "pl": "aą cć eę lł nń oó sś zźż",
    "ro": "aăâ iî sș tț",
    "sk": "aä cč oô sš zž",
    "sl": "cčć dđ sš zž",
    "sv": "zåäö",
    "tr": "cç gğ hı oö sş uü",
    "uk": "гґ еє иії",
}
"""By language: letters with a place of their own, each after the letter that begins its group."""
_DOTLESS: Final = frozenset(("az", "tr"))
"""Languages in which I is the capital of ı."""
_OWN_SCRIPT: Final[Mapping[str, tuple[str, str]]] = {
    **dict.fromkeys(("be", "bg", "kk", "ky", "mk", "mn", "ru", "sr", "uk"), ("\u0400", "\u052f")),
    **dict.fromkeys(("ar", "fa", "ur"), ("\u0600", "\u06ff")),
    "el": ("\u0370", "\u03ff"),
    "he": ("\u0590", "\u05ff"),
}
"""By language: its letters come before the Latin ones."""
_ARABIC: Final = {"ة": "ت"}
"""In search this letter equals a different one than in the alphabet."""
_BEHIND: Final = 0x10FF00
_AFTER_OWN: Final = "\uffff"


def sort_key(text: str, language: str = "") -> str:
    """Return the key by which names are sorted for readers of ``language``, a tag such as ``de-DE``.

    >>> sorted(["Wartung", "Über uns", "Ufer"], key=lambda name: sort_key(name, "de"))
    ['Über uns', 'Ufer', 'Wartung']
    """
    own = language.partition("-")[0].lower()
    text = compose(text)
    small = (text.replace("I", "ı").replace("İ", "i") if own in _DOTLESS else text).lower()
    letters = "".join([_place(letter, own) for letter in compose(small)])
    # Equal letters: without accents first. Equal accents: small letters first.
    return f"{letters}\x01{normalize('NFD', small)}\x01{text.swapcase()}"


@lru_cache(maxsize=8192)
def _place(letter: str, language: str) -> str:
    found = _alphabet(language).get(letter)
    if found is None:
        found = fold(_ARABIC.get(letter, letter))
    return "".join(_rank(part, language) for part in found)


def _rank(part: str, language: str) -> str:
    if ord(part) >= _BEHIND or combining(part):
        return part
    if part.isspace():
        return " "
    if not part.isalnum():
        return "!"
    first, last = _OWN_SCRIPT.get(language, ("", ""))
    is_foreign = bool(first) and part.isalpha() and not first <= part <= last
    return _AFTER_OWN + part if is_foreign else part


@lru_cache(maxsize=64)
def _alphabet(language: str) -> Mapping[str, str]:
    """Map each letter to the letter that begins its group plus a mark that sorts after all its combinations."""
    groups = f"{_EVERYWHERE} {_ALPHABETS.get(language, '')}".split()
    return {letter: group[0] + chr(_BEHIND + place) for group in groups for place, letter in enumerate(group[1:])}
