"""What holds nothing back, and what an editor may want to know all the same: texts in another language than the site's,
and texts that were to be replaced."""

import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

from ...domain.frozen_bodies import PageBody
from ...domain.problems import Block, DummyText, Flaw, ForeignText, Problem, Subject
from ...domain.text_language import find_foreign_language

_TAG: Final = re.compile(r"<[^<>]*>")
_DUMMY: Final = re.compile(r"\b[Ll]orem ipsum\b|\b(?:TODO|TBD|FIXME|XXX+)\b")
_NO_TEXT: Final = frozenset({"id", "type", "tone", "anchor"})


def find_remarks(body: PageBody, subject: Subject, language: str) -> list[Problem]:
    """At most one of each kind for a block, and for the description. ``language``: the site's."""
    places: list[tuple[Subject, Any]] = [(subject._replace(field="head.description"), body["head"]["description"])]
    for number, block in enumerate(body["blocks"], start=1):
        place = subject._replace(block=Block(block["id"], number, block["type"]))
        places.append((place, {name: value for name, value in block.items() if name not in _NO_TEXT}))
    return [Problem(place, flaw) for place, value in places for flaw in _find(list(_texts(value)), language)]


def _find(texts: list[str], language: str) -> Iterator[Flaw]:
    if foreign := find_foreign_language(texts, language):
        yield ForeignText(foreign, language)
    if dummy := next(filter(None, map(_DUMMY.search, texts)), None):
        yield DummyText(dummy[0])


def _texts(value: Any) -> Iterator[str]:
    """What visitors read of it. Code is published exactly as typed, and is no language of theirs; addresses have no spaces."""
    if isinstance(value, str):
        if " " in value:
            yield _TAG.sub(" ", value)
    elif isinstance(value, Mapping) and "$verbatim" not in value:
        for name, part in value.items():
            if not name.startswith("$") or name == "$html":
                yield from _texts(part)
    elif isinstance(value, list):
        for part in value:
            yield from _texts(part)
