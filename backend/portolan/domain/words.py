"""Texts of pure rules stand in English where the rules are. Whoever shows them says how they are called in the reader's language:
these modules know no catalogue.
"""

from collections.abc import Callable

Translate = Callable[[str], str]
"""A text, as it stands in the code, in the reader's language."""


def mark(text: str) -> str:
    """Says to who gathers texts that this one is shown to people, and is translated when it is."""
    return text


def plain(text: str) -> str:
    """English, as it stands."""
    return text
