"""Rules for texts of the interface that editors change for a site.

The text of a key is a text, or plural forms by category. Its default is the web build's, or the text of the site it
inherits from.
"""

import re
from collections.abc import Iterable, Mapping
from enum import StrEnum
from typing import Any, Final, NamedTuple

from .inheritance import State

Text = str | Mapping[str, str]

_PLACEHOLDER: Final = re.compile(r"\{(\w+)\}")
_BRACES: Final = re.compile(r"[{}]")
_MARKUP: Final = re.compile(r"<[A-Za-z/!?]|&(?:[A-Za-z]+|#[0-9]+|#x[0-9A-Fa-f]+);")
NUMBER: Final = "n"
"""Placeholder of the counted number. A plural form may leave it out, as in “one office”."""
LONGEST: Final = 1000


class Fault(StrEnum):
    LOST = "lost"
    UNKNOWN = "unknown"
    BRACE = "brace"
    MARKUP = "markup"
    EMPTY = "empty"
    LONG = "long"


class Refused(NamedTuple):
    """Why a text cannot be stored."""

    fault: Fault
    category: str = ""
    """Plural category; empty if the text has no forms."""
    names: tuple[str, ...] = ()
    """Placeholders."""


def forms_of(text: Text) -> Mapping[str, str]:
    return {"": text} if isinstance(text, str) else text


def find_placeholders(text: Text) -> list[str]:
    """Return the names of all placeholders, in the order of their first use."""
    return list(dict.fromkeys(name for form in forms_of(text).values() for name in _PLACEHOLDER.findall(form)))


def find_faults(text: Text, default: Text) -> list[Refused]:
    """Return why a text cannot take the place of ``default``; empty if it can."""
    known = find_placeholders(default)
    return [fault for category, form in forms_of(text).items() for fault in _check_form(form, category, known)]


def _check_form(form: str, category: str, known: Iterable[str]) -> list[Refused]:
    if not form:
        return [Refused(Fault.EMPTY, category)]
    used = _PLACEHOLDER.findall(form)
    lost = tuple(name for name in known if name not in used and not (category and name == NUMBER))
    unknown = tuple(dict.fromkeys(name for name in used if name not in known))
    found = {
        Fault.LOST: lost,
        Fault.UNKNOWN: unknown,
        Fault.BRACE: _BRACES.search(_PLACEHOLDER.sub("", form)),
        Fault.MARKUP: _MARKUP.search(form),
        Fault.LONG: len(form) > LONGEST,
    }
    return [
        Refused(fault, category, value if isinstance(value, tuple) else ()) for fault, value in found.items() if value
    ]


def own_words(
    entered: Mapping[str, Text], defaults: Mapping[str, Text], before: Mapping[str, Any], seen: Iterable[str] = ()
) -> dict[str, dict[str, Text]]:
    """Return the words to store: those that differ from their default, each with the default it replaces.

    ``before``: the stored words. A word that was not edited keeps its base, unless its key is in ``seen``. Words
    of keys without a default, which another web build may have, stay.
    """
    accepted = set(seen)
    found: dict[str, dict[str, Text]] = {key: word for key, word in before.items() if key not in defaults}
    for key, text in entered.items():
        if key not in defaults or text == defaults[key]:
            continue
        kept = before.get(key)
        same = kept is not None and kept["text"] == text and key not in accepted
        found[key] = kept if kept is not None and same else {"text": text, "base": defaults[key]}
    return found


def state_of(word: Mapping[str, Any] | None, default: Text) -> State:
    """Return the state of a word. ``word``: as stored, or None."""
    if word is None:
        return State.FOLLOWS
    return State.OWN if word["base"] == default else State.CHANGED
