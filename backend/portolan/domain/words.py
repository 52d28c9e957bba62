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


def say_count(number: int, one: str, many: str = "") -> str:
    """Return the number with its word. ``many``: for all numbers but 1, if it is not ``one`` with an s.

    >>> say_count(1, "site"), say_count(1200, "site"), say_count(0, "copy is", "copies are")
    ('1 site', '1,200 sites', '0 copies are')
    """
    return f"{number:,} {one if number == 1 else many or f'{one}s'}"


def say_not_installed(package: str, extra: str) -> str:
    """Return that a package is missing, with the command that installs it.

    >>> say_not_installed("redis", "redis")
    "the package redis, which is not installed. `pip install 'portolan[redis]'` installs it"
    """
    return f"the package {package}, which is not installed. `pip install 'portolan[{extra}]'` installs it"
