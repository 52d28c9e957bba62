"""Read numbers as people type them: digits of every script, invisible marks, dashes of a word processor.

``web/src/domain/typed-number.ts`` does the same in the browser. Both are tested by ``testing/typed-numbers.json``.
"""

import re
from typing import Final
from unicodedata import category, decimal, normalize

_SPACES: Final = frozenset("\t\n\v\f\r")
_MINUS: Final = "\u2212"
_LABEL: Final = re.compile(r"[^\W\d_]{1,12}[.:]{1,2} ?(?=[+(\d])")
"""``Tel.:``, ``tel:``"""
_PHONE: Final = re.compile(
    r"(?P<number>\(?\+?[0-9 ()./-]+)"
    r"(?:[ ,;]{0,3}(?:#|[^\W\d_]{1,12}[.:=]{0,2}) ?[0-9]{1,8})?"  # the extension, in any language
)
_FEWEST_DIGITS: Final = 4
_MOST_DIGITS: Final = 17


def plain_number(typed: str) -> str:
    """Return the text with ASCII digits, hyphens and spaces, without invisible characters.

    >>> plain_number("\\u200e١٢ − ３"), plain_number("1\\u00a0000")
    ('12 - 3', '1 000')
    """
    plain = "".join(_plain_character(character) for character in normalize("NFKC", typed))
    return " ".join(plain.split())


def plain_phone(typed: str) -> str | None:
    """Return the phone number as it can be dialled and read; None for other texts.

    >>> plain_phone("Tel.: +٤٩ 30–901820 ext. 7"), plain_phone("call me")
    ('+49 30-901820 ext. 7', None)
    """
    plain = _without_label(plain_number(typed))
    found = _PHONE.fullmatch(plain)
    digits = sum(character.isdigit() for character in found["number"]) if found else 0
    return plain if _FEWEST_DIGITS <= digits <= _MOST_DIGITS else None


def _without_label(plain: str) -> str:
    label = _LABEL.match(plain)
    return plain[label.end() :] if label else plain


def _plain_character(character: str) -> str:
    kind = category(character)
    if character in _SPACES or kind[0] == "Z":
        return " "
    if kind == "Cf":
        return ""
    if kind == "Pd" or character == _MINUS:
        return "-"
    return str(decimal(character)) if kind == "Nd" else character
