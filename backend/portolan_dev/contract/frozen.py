"""Build JSON Schemas of stored bodies: one file per kind and format in ``contract/frozen/``.

Pages have one more file per block, so that a new block is a new file. The schemas are those of published values, with
the references of ``domain.references``.
"""

from collections.abc import Mapping
from typing import Any, Final

from pydantic import TypeAdapter

from portolan.content.blocks import BLOCKS
from portolan.content.collections import COLLECTIONS
from portolan.content.items import DOCUMENT, FOOTER, MENU, PAGE, PICTURE, RATE_CARD, REDIRECT, WORDS
from portolan.content.pages import PAGE_TYPES
from portolan.content.pages.card import CardPage
from portolan.domain.snapshot_bodies import (
    EntryBody,
    FiguresBody,
    FooterBody,
    MenuBody,
    OwnPageBody,
    RedirectBody,
    WordsBody,
)
from portolan.releases.formats import current_format
from portolan.schemas.company import RateCard
from portolan.schemas.link import Link
from portolan.schemas.media import DocumentFile, Picture
from portolan.schemas.navigation import FooterGroup, MenuItem

_TEXT: Final = {"type": "string"}


def _reference(name: str, required: Mapping[str, Any], **optional: Any) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": {f"${name}": _TEXT, **required, **optional},
        "required": [f"${name}", *required],
        "additionalProperties": False,
    }


_PAGE_LINK: Final = _reference("page", {"title": _TEXT}, anchor=_TEXT)
_DEFINITIONS: Final[Mapping[str, Any]] = {
    "Link": {"oneOf": [_PAGE_LINK, _reference("url", {"title": _TEXT})]},
    "Picture": _reference("picture", {"alt": _TEXT}),
    "DocumentFile": _reference("document", {}),
    "Text": {"oneOf": [_TEXT, _reference("html", {}), _reference("verbatim", {})]},
    # No present format uses "last". It stays, because each kind would need a new schema without it.
    "Items": _reference("items", {}, choose={}, first={}, each={}, last={}, pick={}),
    "Count": _reference("count", {}),
}
"""Definitions that may replace a value. The first three replace published schemas of the same name."""

_OF_REFERENCES: Final = ("Focus",)
"""Schemas that only the first three use. ``PictureVariant`` stays, because each kind would need a new schema without it."""


def build_snapshot_schemas() -> dict[str, Any]:
    """Return the schemas by file name: ``page.1.json``, ``page.1/hero.json``."""
    kinds = {f"{kind}.{current_format(kind)}.json": schema for kind, schema in sorted(_schemas().items())}
    folder = f"{PAGE}.{current_format(PAGE)}"
    return {**kinds, **{f"{folder}/{block.type_name()}.json": _value(block.Data) for block in BLOCKS}}


def _schemas() -> dict[str, Any]:
    cards = {page_type.card_kind(): page_type.Card for page_type in PAGE_TYPES if issubclass(page_type, CardPage)}
    values = {**{kind: model.schema for kind, model in COLLECTIONS.items()}, **cards, RATE_CARD: RateCard}
    return {
        PAGE: _frozen(OwnPageBody),
        MENU: _frozen(MenuBody, items=list[MenuItem], contact=Link | None),
        FOOTER: _frozen(
            FooterBody,
            groups=list[FooterGroup],
            legal_links=list[Link],
            offices_link=Link | None,
            personal_data=Link | None,
        ),
        **{kind: _frozen(EntryBody, value=schema) for kind, schema in values.items()},
        PICTURE: _file(Picture, without="alt"),
        DOCUMENT: _file(DocumentFile),
        REDIRECT: _plain({**TypeAdapter(RedirectBody).json_schema(), "additionalProperties": False}),
        WORDS: _plain({**TypeAdapter(WordsBody).json_schema(), "additionalProperties": False}),
        "figures": TypeAdapter(FiguresBody).json_schema(),
    }


def _frozen(body: Any, **values: Any) -> Any:
    """Return the schema of a body in which these fields have values with references."""
    schema = TypeAdapter(body).json_schema()
    definitions = schema.pop("$defs", {})
    for name, value in values.items():
        found = _value(value)
        definitions |= found.pop("$defs")
        schema["properties"][name] = found
    return _plain({**schema, "additionalProperties": False, "$defs": {**definitions, **_DEFINITIONS}})


def _value(of: Any) -> Any:
    """Return the schema of a published value that may have references."""
    schema = TypeAdapter(of).json_schema(mode="serialization")
    definitions = schema.pop("$defs", {})
    used = {
        name: _DEFINITIONS.get(name) or _with_references(found)
        for name, found in definitions.items()
        if name not in _OF_REFERENCES
    }
    return _plain({**_with_references(schema), "$defs": {**used, **_DEFINITIONS}})


def _file(schema: Any, without: str = "") -> Any:
    """Return the schema of an item that is a published value, without the field that each use adds."""
    found = TypeAdapter(schema).json_schema(mode="serialization")
    found["properties"].pop(without, None)
    found["required"] = [name for name in found["required"] if name != without]
    return _plain(found)


def _with_references(schema: Any) -> Any:
    """Return the schema with references as alternatives to texts, lists and numbers."""
    if not isinstance(schema, dict):
        return schema
    names = ("properties", "$defs")
    inside = {
        name: {key: _with_references(value) for key, value in found.items()}
        if name in names
        else [_with_references(value) for value in found]
        if name in ("oneOf", "anyOf", "prefixItems")
        else _with_references(found)
        for name, found in schema.items()
    }
    match schema.get("type"):
        case "string" if not schema.keys() & {"enum", "const", "pattern", "format"}:
            return {"$ref": "#/$defs/Text"}
        case "array":
            return {"anyOf": [inside, {"$ref": "#/$defs/Items"}]}
        case "integer" | "number":
            return {"anyOf": [inside, {"$ref": "#/$defs/Count"}]}
    return inside


def _plain(schema: Any) -> Any:
    """Remove annotations that do not affect the bytes: titles, descriptions, defaults."""
    if isinstance(schema, list):
        return [_plain(value) for value in schema]
    if not isinstance(schema, dict):
        return schema
    return {
        name: {key: _plain(value) for key, value in sorted(found.items())}
        if name in ("properties", "$defs")
        else _plain(found)
        for name, found in schema.items()
        if name not in ("title", "description", "default", "examples")
    }
