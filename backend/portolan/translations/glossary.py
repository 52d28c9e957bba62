"""Find the terms of the glossary in a text, and those that its translation lacks."""

import re
from collections.abc import Iterable
from html import escape
from typing import Final

from .models import GlossaryTerm

_TAG: Final = re.compile(r"(<[^<>]*>)")


def load_terms(languages: str | None) -> list[GlossaryTerm]:
    """Return the terms by length, longest first."""
    found = GlossaryTerm.objects.filter(languages=languages) if languages else ()
    return sorted(found, key=lambda term: (-len(term.term), term.term))


def find_terms(text: str, terms: Iterable[GlossaryTerm]) -> list[GlossaryTerm]:
    """Return the terms that are whole words of a text. A term inside a longer one is left out."""
    folded = text.casefold()
    by_name = {name: term for term in terms if (name := term.term.casefold()) in folded}
    found = _pattern(by_name).findall(folded) if by_name else ()
    return [by_name[name] for name in dict.fromkeys(found)]


def mark_terms(html: str, terms: Iterable[GlossaryTerm]) -> str:
    """Return clean HTML with ``<mark>`` around the terms."""
    names = [escape(term.term, quote=False) for term in terms]
    if not names:
        return html
    pattern = _pattern(names)
    parts = _TAG.split(html)
    return "".join(
        part if number % 2 else pattern.sub(r"<mark>\g<0></mark>", part) for number, part in enumerate(parts)
    )


def find_missing(translation: str, terms: Iterable[GlossaryTerm]) -> list[GlossaryTerm]:
    """Return the terms whose translation a text lacks. An ending, such as a plural, is allowed."""
    text = translation.casefold()
    return [term for term in terms if term.expected.casefold() not in text]


def _pattern(names: Iterable[str]) -> re.Pattern[str]:
    return re.compile(rf"(?<!\w)(?:{'|'.join(re.escape(name) for name in names)})(?!\w)", re.IGNORECASE)
