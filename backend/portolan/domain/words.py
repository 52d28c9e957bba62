"""Mark the texts of pure rules for translation.

The texts are in English in these modules, which have no access to the catalogue. Callers pass the translation.
"""

from collections.abc import Callable

Translate = Callable[[str], str]
"""Translates a text of the code into the reader's language."""


def mark(text: str) -> str:
    """Mark a text that is shown to people, so that `portolan texts` collects it."""
    return text


def plain(text: str) -> str:
    """Return the English text unchanged."""
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
