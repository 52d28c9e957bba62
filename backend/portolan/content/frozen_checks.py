"""Checks on frozen items before they enter a release: every reference has a target, and every value meets its schema.
An item is resolved as the publisher will do it, against what is published now, and the result is dropped.
"""

from collections.abc import Mapping
from types import NoneType
from typing import Any, Final, get_args

from pydantic import TypeAdapter, ValidationError
from pydantic.alias_generators import to_snake

from ..domain.company import PLACEHOLDERS
from ..domain.references import PageTarget, Reference, find_unresolved, resolve
from ..schemas.base import Schema
from ..schemas.link import Link
from ..schemas.navigation import FooterGroup, MenuItem
from .blocks import BLOCKS
from .errors import FreezeProblem
from .page_content import AnyBlockData

_CARD: Final = "In lists"
"""The heading of a card's fields in the studio."""
_BLOCK: Final = TypeAdapter(AnyBlockData)
_LABELS: Final = {block.type_name(): str(block().label) for block in BLOCKS}
_SCHEMAS: Final[Mapping[str, tuple[str, TypeAdapter[Any]]]] = {
    "items": ("Menu items", TypeAdapter(list[MenuItem])),
    "contact": ("Contact button", TypeAdapter(Link)),
    "groups": ("Link groups", TypeAdapter(list[FooterGroup])),
    "legal_links": ("Legal links", TypeAdapter(list[Link])),
    "offices_link": ("Link to all offices", TypeAdapter(Link)),
    "personal_data": ("Personal data (Belarus)", TypeAdapter(Link)),
}

_OPTIONAL: Final = frozenset({"personal_data"})


class CheckLookup:
    """Knows which pages (by translation key), pictures and documents (by id) exist, but not their contents."""

    def __init__(
        self,
        pages: frozenset[str],
        pictures: Mapping[str, dict[str, Any]],
        documents: Mapping[str, dict[str, Any]],
    ) -> None:
        self._pages = pages
        self._pictures = pictures
        self._documents = documents

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


def check_page(body: Mapping[str, Any], place: str, lookup: CheckLookup) -> list[FreezeProblem]:
    """Every problem of a page's frozen body. For a block: its unresolved references; if there are none, all errors of
    its schema."""
    problems = []
    for field in ("title", "head", "anchors"):
        problems += _unresolved(body[field], place, lookup, lambda path, field=field: field.capitalize())
    for number, block in enumerate(body["blocks"], start=1):
        name = f"Block {number} ({_LABELS.get(block['type'], block['type'])})"
        problems += _check(block, _BLOCK, place, name, lookup, skip=1)
    return problems


def check_navigation(body: Mapping[str, Any], place: str, lookup: CheckLookup) -> list[FreezeProblem]:
    """Every problem of a menu's or footer's frozen body."""
    problems = []
    for field, value in body.items():
        name, schema = _SCHEMAS[field]
        if value is None and field not in _OPTIONAL:
            problems.append(FreezeProblem(place, name, "is empty, and every page needs it. Fill it in."))
        elif value is not None:
            problems += _check(value, schema, place, name, lookup)
    return problems


def check_item(schema: type[Schema], body: Mapping[str, Any], place: str, lookup: CheckLookup) -> list[FreezeProblem]:
    """Every problem of the value of an entry or a rate card."""
    return _check(body["value"], TypeAdapter(schema), place, "", lookup)


def check_card(schema: type[Schema], body: Mapping[str, Any], place: str, lookup: CheckLookup) -> list[FreezeProblem]:
    """Every problem of a page's card. Fields an editor left empty stand in it as None."""
    value = body["value"]
    problems = []
    for name, field in schema.model_fields.items():
        wire = field.alias or name
        if value[wire] is None and NoneType not in get_args(field.annotation):
            problems.append(FreezeProblem(place, _card_field(wire), "is empty, and lists show it. Fill it in."))
        for entry in value[wire] if isinstance(value[wire], list) else ():
            if entry.get("name", "") is None:
                problems.append(FreezeProblem(place, _card_field(wire), _explain_nameless(entry)))
    return problems or _check(value, TypeAdapter(schema), place, _CARD, lookup)


def _check(
    frozen: Any, schema: TypeAdapter[Any], place: str, name: str, lookup: CheckLookup, skip: int = 0
) -> list[FreezeProblem]:
    def field(path: str) -> str:
        return ", ".join(filter(None, [name, *_readable_path(path)]))

    if unresolved := _unresolved(frozen, place, lookup, field):
        return unresolved
    try:
        schema.validate_python(resolve(frozen, lookup))
    except ValidationError as error:
        # the first part of a union's location is the block's type, which the name says already
        return [
            FreezeProblem(
                place, field(".".join(map(str, detail["loc"][skip:]))), f"cannot be published ({detail['msg']})."
            )
            for detail in error.errors()
        ]
    return []


def _unresolved(frozen: Any, place: str, lookup: CheckLookup, field: Any) -> list[FreezeProblem]:
    return [
        FreezeProblem(place, field(error.location), _explain(error.reference))
        for error in find_unresolved(frozen, lookup)
    ]


def _card_field(wire: str) -> str:
    return f"{_CARD}, {to_snake(wire).replace('_', ' ')}"


def _explain_nameless(facet: Mapping[str, str]) -> str:
    return (
        f"names the {facet['facet']} “{facet['slug']}”, which has no translation for this site. Write its name for "
        "this site under Facet values, or untick it here."
    )


def _readable_path(path: str) -> list[str]:
    """``cards.1.link`` as an editor counts: ``["cards 2", "link"]``."""
    steps: list[str] = []
    for part in filter(None, path.split(".")):
        if part.isdigit():
            number = str(int(part) + 1)
            steps[-1:] = [f"{steps[-1]} {number}" if steps else number]
        else:
            steps.append(part)
    return steps


def _explain(reference: Reference) -> str:
    if reference.kind == "page" and reference.key.startswith("deleted-page-"):
        return "links to a page that was deleted. Choose another page, or remove the link."
    if reference.kind == "page":
        return (
            "links to a page that is published neither on this site nor on the international one, so the link would "
            "lead nowhere. Publish that page, or choose another."
        )
    if reference.kind == "picture":
        return (
            "shows a picture that was deleted or whose files could not be made. Choose another picture, "
            "or upload it again."
        )
    if reference.kind == "document":
        return (
            "offers a document that was deleted, whose file is gone, or that is kept in a private collection. Choose another "
            "one, upload it again, or move it to a public collection."
        )
    known = ", ".join(f"{{{name}}}" for name in PLACEHOLDERS)
    return f"{{{reference.key}}} stands for nothing. Write one of {known}, or leave the braces out."
