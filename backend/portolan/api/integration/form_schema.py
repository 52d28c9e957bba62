"""Build the schema of a form's fields in a multipart body: one property per indexed key."""

from collections.abc import Iterable, Iterator, Mapping
from itertools import groupby
from typing import Any, Final, NamedTuple

from ...leads.body import LARGEST_FILE
from ...leads.multipart import join_key
from ...schemas.base import Schema
from ...schemas.lead import LONGEST_FIELD
from ...schemas.visible_text import INVISIBLE, SELECTORS

_FIRST: Final = 0
"""The first element of an array represents all."""
_BLANK: Final = rf"(?:[^\S\x00-\x1f\x7f-\x9f\u2028\u2029]|[{INVISIBLE}{SELECTORS}])*"
"""Empty input: forms without scripts send empty fields as text. Spaces and invisible characters count as missing too."""
_NAME: Final = r"[^\[\]\x00-\x1f\x7f\"]{1,40}"
_NOT_SAID_HERE: Final = ("title", "default")


class _Field(NamedTuple):
    steps: tuple[str | int, ...]
    schema: dict[str, Any]
    is_required: bool
    """Required in the form."""
    is_required_in_group: bool
    """Required if any field of its group is given."""


def build_form_schema(form: type[Schema], files: str) -> dict[str, Any]:
    """Return the schema of a multipart body for ``form``, whose fields are values, groups of values, or lists of either.

    ``files``: description of attachments.
    """
    whole = form.model_json_schema(by_alias=True, mode="validation")
    fields = list(_flatten(whole, whole.get("$defs", {}), (), True, True))
    attachment = {"type": "string", "format": "binary", "maxLength": LARGEST_FILE, "description": files}
    return {
        "type": "object",
        "properties": {
            **{join_key(field.steps): field.schema for field in fields},
            "attachments[0]": attachment,
        },
        "required": [join_key(field.steps) for field in fields if field.is_required],
        "dependentRequired": _dependent(fields),
        "propertyNames": {"pattern": rf"^{_NAME}(\[{_NAME}\]){{0,4}}$"},
        "additionalProperties": {"type": "string", "maxLength": LONGEST_FIELD, "pattern": r"^[^\x00]*$"},
    }


def _or_blank(schema: dict[str, Any]) -> dict[str, Any]:
    if schema["type"] != "string":
        return {"anyOf": [schema, {"type": "string", "pattern": f"^{_BLANK}$"}]}
    if "enum" in schema:
        return {**schema, "enum": [*schema["enum"], ""]}
    pattern = schema.get("pattern")
    or_blank = {**schema, "pattern": f"^(?:{_BLANK}|{pattern[1:-1]})$"} if pattern else schema
    return {name: value for name, value in or_blank.items() if name != "minLength"}


def _dependent(fields: Iterable[_Field]) -> dict[str, list[str]]:
    """Return the fields that an optional group requires if any of them is given."""
    dependent: dict[str, list[str]] = {}
    for group, found in groupby(fields, lambda field: field.steps[:-1]):
        members = list(found)
        needed = [join_key(member.steps) for member in members if member.is_required_in_group]
        if group and not any(member.is_required for member in members):
            keys = [join_key(member.steps) for member in members]
            dependent |= {key: others for key in keys if (others := [other for other in needed if other != key])}
    return dependent


def _flatten(
    schema: Mapping[str, Any],
    definitions: Mapping[str, Any],
    steps: tuple[str | int, ...],
    is_required: bool,
    is_required_in_group: bool,
) -> Iterator[_Field]:
    description = schema.get("description")
    for choice in schema.get("anyOf", ()):
        if choice.get("type") != "null":
            schema = choice
    if "$ref" in schema:
        schema = definitions[schema["$ref"].rpartition("/")[2]]
    if schema["type"] == "object":
        for name, child in schema["properties"].items():
            needed = name in schema.get("required", ())
            yield from _flatten(child, definitions, (*steps, name), is_required and needed, needed)
    elif schema["type"] == "array":
        yield from _flatten(schema["items"], definitions, (*steps, _FIRST), False, False)
    else:
        own = {name: value for name, value in schema.items() if name not in _NOT_SAID_HERE}
        if not is_required_in_group:
            own = _or_blank(own)
        described = {**own, **({"description": description} if description else {})}
        yield _Field(steps, described, is_required, is_required_in_group)
