"""Check items before they enter a release: every reference has a target, and every value matches its schema.

An item is resolved as the publisher does, against the content that is published now. The result is discarded.
"""

from collections.abc import Mapping
from types import NoneType
from typing import Any, Final, get_args

from pydantic import TypeAdapter, ValidationError

from ..domain.company import PLACEHOLDERS
from ..domain.problems import (
    Block,
    EmptyValue,
    InvalidValue,
    Problem,
    ReservedPath,
    Subject,
    UntranslatedName,
    UnusableAnchor,
    detail_of,
)
from ..domain.references import PageTarget, find_unresolved, resolve
from ..domain.reserved import is_reserved_path
from ..schemas.base import Schema
from ..schemas.link import Link
from ..schemas.navigation import FooterGroup, MenuItem
from ..schemas.words import Words
from .page_content import AnyBlockData
from .rules import find_unusable_anchors

BLOCK: Final = TypeAdapter(AnyBlockData)
NAVIGATION: Final[Mapping[str, TypeAdapter[Any]]] = {
    "items": TypeAdapter(list[MenuItem]),
    "contact": TypeAdapter(Link),
    "groups": TypeAdapter(list[FooterGroup]),
    "legal_links": TypeAdapter(list[Link]),
    "offices_link": TypeAdapter(Link),
    "personal_data": TypeAdapter(Link),
}
WORDS: Final = TypeAdapter(Words)

_OPTIONAL: Final = frozenset({"personal_data"})


class CheckLookup:
    """Contains the existing pages (by translation key), images and documents (by ID), but not their content."""

    def __init__(
        self,
        pages: frozenset[str],
        pictures: Mapping[str, dict[str, Any]],
        documents: Mapping[str, dict[str, Any]],
        gone: frozenset[str] = frozenset(),
    ) -> None:
        """``gone``: pages that were live and that visitors cannot reach now."""
        self.gone = gone
        self._pages = pages
        self._pictures = pictures
        self._documents = documents

    def with_gone(self) -> "CheckLookup":
        """Return a lookup in which the pages of ``gone`` exist."""
        return CheckLookup(self._pages | self.gone, self._pictures, self._documents)

    def page(self, key: str) -> PageTarget | None:
        return PageTarget("/") if key in self._pages else None

    def picture(self, key: str) -> dict[str, Any] | None:
        return self._pictures.get(key)

    def document(self, key: str) -> dict[str, Any] | None:
        return self._documents.get(key)

    def items(self, kind: str) -> list[Any]:
        return []

    def placed(self, kind: str) -> list[Any]:
        return []

    def own_page(self) -> str | None:
        return None

    def placeholder(self, name: str) -> str | None:
        return name if name in PLACEHOLDERS else None

    def is_external(self, url: str) -> bool:
        return False


def check_page(
    body: Mapping[str, Any], subject: Subject, lookup: CheckLookup, fields: type[Schema] | None = None
) -> list[Problem]:
    """Return every problem of a page's body.

    For a block, these are its unresolved references or, if there are none, all errors of its schema. The same applies
    to the fields of a plugin's page type.
    """
    problems = _check(body["fields"], TypeAdapter(fields), subject, "", lookup) if fields else []
    if is_reserved_path(subject.path):
        problems.append(Problem(subject, ReservedPath(subject.path)))
    for field in ("title", "head", "anchors"):
        problems += _unresolved(body[field], subject, field, lookup)
    unusable = find_unusable_anchors(body["blocks"])
    for number, block in enumerate(body["blocks"], start=1):
        place = subject._replace(block=Block(block["id"], number, block["type"]))
        if number - 1 in unusable:
            problems.append(Problem(place._replace(field="anchor"), UnusableAnchor(block["anchor"])))
        problems += _check(block, BLOCK, place, "", lookup, skip=1)
    return problems


def check_navigation(body: Mapping[str, Any], subject: Subject, lookup: CheckLookup) -> list[Problem]:
    """Return every problem of a menu's or footer's body."""
    problems = []
    for field, value in body.items():
        if value is None and field not in _OPTIONAL:
            problems.append(Problem(subject._replace(field=field), EmptyValue("pages")))
        elif value is not None:
            problems += _check(value, NAVIGATION[field], subject, field, lookup)
    return problems


def check_words(body: Mapping[str, Any], subject: Subject, lookup: CheckLookup) -> list[Problem]:
    """Return every problem of a site's interface words."""
    return _check(body["words"], WORDS, subject, "words", lookup)


def check_item(schema: type[Schema], body: Mapping[str, Any], subject: Subject, lookup: CheckLookup) -> list[Problem]:
    """Return every problem of the value of an entry or a rate card."""
    return _check(body["value"], TypeAdapter(schema), subject, "", lookup)


def check_card(schema: type[Schema], body: Mapping[str, Any], subject: Subject, lookup: CheckLookup) -> list[Problem]:
    """Return every problem of a page's card. Fields that an editor left empty are None."""
    value = body["value"]
    problems = []
    for name, field in schema.model_fields.items():
        wire = field.alias or name
        place = subject._replace(field=wire)
        if value[wire] is None and NoneType not in get_args(field.annotation):
            problems.append(Problem(place, EmptyValue("lists")))
        for entry in value[wire] if isinstance(value[wire], list) else ():
            if entry.get("name", "") is None:
                problems.append(Problem(place, UntranslatedName(entry["facet"], entry["slug"])))
    return problems or _check(value, TypeAdapter(schema), subject, "", lookup)


def _check(
    frozen: Any, schema: TypeAdapter[Any], subject: Subject, field: str, lookup: CheckLookup, skip: int = 0
) -> list[Problem]:
    if unresolved := _unresolved(frozen, subject, field, lookup):
        return unresolved
    try:
        schema.validate_python(resolve(frozen, lookup))
    except ValidationError as error:
        # The first part of a union's location is the block's type, which is already in the subject.
        return [
            Problem(_inside(subject, field, ".".join(map(str, detail["loc"][skip:]))), InvalidValue(detail["msg"]))
            for detail in error.errors()
        ]
    return []


def _unresolved(frozen: Any, subject: Subject, field: str, lookup: CheckLookup) -> list[Problem]:
    return [
        Problem(_inside(subject, field, error.location), detail_of(error.reference))
        for error in find_unresolved(frozen, lookup)
    ]


def _inside(subject: Subject, *steps: str) -> Subject:
    return subject._replace(field=".".join(filter(None, (step.strip(".") for step in steps))))
