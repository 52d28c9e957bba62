"""Check the formats of numbers: decimal marks and groups of three digits.

Only sure mistakes are found. ``1,140`` in German may be a decimal, so it is left alone.
"""

import re
from collections.abc import Iterator, Mapping
from typing import Final, NamedTuple

from .text_places import NO_BREAK_SPACES, Correction


class Format(NamedTuple):
    """The marks in the numbers of a language."""

    decimal: str
    group: str
    accepted: str = ""
    """Other marks between groups."""


_SPACED: Final = Format(",", "\u00a0")
_FORMATS: Final[Mapping[str, Format]] = {
    "ar": Format(".", ","),
    "az": Format(",", "\u00a0", "."),
    "de": Format(",", "."),
    "en": Format(".", ","),
    "fr": Format(",", "\u202f"),
    "kk": _SPACED,
    "pl": _SPACED,
    "ru": _SPACED,
}
_OTHER_COUNTRIES: Final = frozenset(
    {"de-AT", "de-CH", "de-LI", "fr-CH", "fr-CA", "en-ZA", "en-IN", "ar-MA", "ar-TN", "ar-DZ"}
)
"""Tags whose countries write numbers differently from their language."""
_NUMBER: Final = re.compile("[0-9][0-9.,]*[0-9]")
_PLAIN_GROUPS: Final = re.compile("(?<![0-9])[0-9]{1,3}(?: [0-9]{3})+(?![0-9])")
_UNIT: Final = re.compile(
    "[ \u00a0\u202f]?(?:[%٪‰€$£₼₸₽]|(?:EUR|USD|GBP|PLN|zł|AZN|KZT|AED|Mio|Mrd|Prozent|Euro|Millionen|million|billion|percent"
    "|per cent|millions|milliards|mln|mld|млн|млрд)(?![^\\W\\d_]))"
)
_COUNTED: Final = re.compile("[ \u00a0\u202f](?:[^\\W\\d_]{2,}|[%€$£₼₸₽])")
_NO_NUMBER_BEFORE: Final = frozenset("./-_+§:,#")
_NO_NUMBER_AFTER: Final = frozenset("-_/:")


def check_numbers(text: str, language: str) -> Iterator[Correction]:
    """Yield the corrections of a prepared text in ``language`` (a tag)."""
    own = language.partition("-")[0]
    form = None if language in _OTHER_COUNTRIES else _FORMATS.get(own)
    if form:
        for found in _NUMBER.finditer(text):
            if _is_free(text, *found.span()):
                has_unit = bool(_UNIT.match(text, found.end()))
                if (right := correct_number(found[0], form, has_unit=has_unit)) is not None:
                    yield Correction("number-format", found[0], right)
        if form.group in NO_BREAK_SPACES:
            yield from _find_plain_groups(text, form.group)


def _is_free(text: str, start: int, end: int) -> bool:
    """Return whether the number is no part of a version, a date, a word or a phone number."""
    before, after = text[start - 1 : start], text[end : end + 1]
    return not (before.isalpha() or before in _NO_NUMBER_BEFORE or after.isalpha() or after in _NO_NUMBER_AFTER)


def correct_number(number: str, form: Format, *, has_unit: bool) -> str | None:
    """Return the number in the format of a language; None if it is right or uncertain.

    >>> correct_number("1,000.50", Format(",", "."), has_unit=False)
    '1.000,50'
    """
    other = "." if form.decimal == "," else ","
    parts = re.split("[.,]", number)
    marks = [character for character in number if character in ".,"]
    if not marks or "" in parts:
        return None
    whole, last = parts[:-1], parts[-1]
    is_grouped = len(whole[0]) <= 3 and whole[0] != "0" and all(len(part) == 3 for part in whole[1:])
    if len(set(marks)) > 1:
        groups_differ = set(marks[:-1]) == {form.decimal} and marks[-1] == other
        return form.group.join(whole) + form.decimal + last if groups_differ and is_grouped else None
    mark = marks[0]
    grouped = form.group.join(parts)
    if len(last) == 3 and is_grouped:
        if len(marks) > 1:
            is_wrong = mark not in (form.group, *form.accepted) and not _is_ip_address(parts)
            return grouped if is_wrong else None
        if mark == form.decimal:
            sure = last.endswith("00") if mark == "," else last == "000" and len(whole[0]) > 1
            return grouped if sure else None
        return grouped if mark not in (form.group, *form.accepted) and last == "000" and has_unit else None
    is_decimal = len(marks) == 1 and mark == other and len(last) <= 2 and has_unit
    return parts[0] + form.decimal + last if is_decimal else None


def _is_ip_address(parts: list[str]) -> bool:
    return len(parts) == 4 and all(int(part) <= 255 for part in parts)


def _find_plain_groups(text: str, group: str) -> Iterator[Correction]:
    """Find numbers whose groups a line break may separate. Phone numbers and postcodes are left out."""
    for found in _PLAIN_GROUPS.finditer(text):
        before = text[max(0, found.start() - 2) : found.start()].rstrip(" \u00a0")
        is_alone = not before or not (before[-1].isdigit() or before[-1] in "+-–/().,:")
        if is_alone and found[0][0] != "0" and _COUNTED.match(text, found.end()):
            yield Correction("number-format", found[0], found[0].replace(" ", group))
