"""Find warnings: texts in another language, placeholder texts, and images that lost details on upload."""

import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

from ...content.items import PAGE, PICTURE, ItemKey
from ...content.pictures import SiteImage
from ...domain.problems import Block, ChangedPicture, DummyText, ForeignText, Problem, ProblemDetail, Subject
from ...domain.references import find_references
from ...domain.snapshot_bodies import PageBody
from ...domain.text_language import find_foreign_language

_TAG: Final = re.compile(r"<[^<>]*>")
_DUMMY: Final = re.compile(r"\b[Ll]orem ipsum\b|\b(?:TODO|TBD|FIXME|XXX+)\b")
_NO_TEXT: Final = frozenset({"id", "type", "tone", "anchor"})


def find_warnings(body: PageBody, subject: Subject, language: str) -> list[Problem]:
    """Return at most one warning of each kind for each block and the description. ``language`` is the site's."""
    places: list[tuple[Subject, Any]] = [(subject._replace(field="head.description"), body["head"]["description"])]
    places += [
        (place, {name: value for name, value in block.items() if name not in _NO_TEXT})
        for place, block in _blocks(body, subject)
    ]
    return [Problem(place, detail) for place, value in places for detail in _find(list(_texts(value)), language)]


def find_changed_pictures(bodies: Mapping[ItemKey, Any], title: str) -> list[Problem]:
    """Return a warning for each block and card with an image that lost details.

    ``bodies`` and ``title`` are those of a page.
    """
    shown: list[tuple[Subject, str]] = []
    for key, body in bodies.items():
        subject = Subject(*key, title, str(body.get("path", "")))
        places = _blocks(body, subject) if key.kind == PAGE else [(subject, body)]
        shown += [
            (place, reference.key)
            for place, value in places
            for reference in dict.fromkeys(find_references(value))
            if reference.kind == PICTURE
        ]
    rows = SiteImage.objects.filter(pk__in={id for _, id in shown}).exclude(losses=[])
    changed = {str(id): (name, losses) for id, name, losses in rows.values_list("pk", "title", "losses")}
    return [
        Problem(place, ChangedPicture(changed[id][0], loss))
        for place, id in shown
        if id in changed
        for loss in changed[id][1]
    ]


def _blocks(body: PageBody, subject: Subject) -> Iterator[tuple[Subject, Mapping[str, Any]]]:
    for number, block in enumerate(body["blocks"], start=1):
        yield subject._replace(block=Block(block["id"], number, block["type"])), block


def _find(texts: list[str], language: str) -> Iterator[ProblemDetail]:
    if foreign := find_foreign_language(texts, language):
        yield ForeignText(foreign, language)
    if dummy := next(filter(None, map(_DUMMY.search, texts)), None):
        yield DummyText(dummy[0])


def _texts(value: Any) -> Iterator[str]:
    """Yield the texts that visitors read.

    Code is left out, because it is in no language. URLs are left out, because they have no spaces.
    """
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
