"""Trim invisible characters from the ends of a text.

People paste such characters without seeing them, and some use them to leave a required field empty.
"""

import re
from typing import Final

INVISIBLE: Final = (
    r"\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u2800\u3164"
    r"\ufeff\uffa0\ufff0-\ufff8"
)
"""For a character class of a regular expression: invisible characters. Unicode calls them default ignorable, except for
the Braille blank (U+2800)."""
SELECTORS: Final = r"\ufe00-\ufe0f"
"""Variation selectors: invisible, but they change the look of the character before them, so they stay at a text's
end."""

_KEPT: Final = re.compile(rf"[^\s\x00-\x1f{INVISIBLE}]")
_VISIBLE: Final = re.compile(rf"[^\s\x00-\x1f{INVISIBLE}{SELECTORS}\U000e0000-\U000e0fff]")


def trim(text: str) -> str:
    """Return the text without white space and invisible characters at its ends; empty if all of it is invisible.

    >>> trim("\u200bAda\u00a0\u3164")
    'Ada'
    """
    first = _KEPT.search(text) if _VISIBLE.search(text) else None
    last = _KEPT.search(text[::-1])
    return text[first.start() : len(text) - last.start()] if first and last else ""
