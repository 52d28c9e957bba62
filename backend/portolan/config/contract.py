"""The contract: the shapes Python and TypeScript share, as one OpenAPI 3.1 document."""

from typing import Any

from pydantic import TypeAdapter
from pydantic.json_schema import models_json_schema

from .. import __version__
from ..content.page_content import AnyBlockData, PageContent
from ..shapes.page import AppData, PageData, SharedData

_SHAPES = (PageContent, PageData, SharedData, AppData)


def build_contract() -> dict[str, Any]:
    """The whole document, ready to be written as JSON. Stable: the same shapes give the same bytes."""
    _, schema = models_json_schema(
        [(shape, "serialization") for shape in _SHAPES], ref_template="#/components/schemas/{model}"
    )
    schemas = {name: _without_titles(definition) for name, definition in schema["$defs"].items()}
    union = TypeAdapter(AnyBlockData).json_schema(mode="serialization", ref_template="#/components/schemas/{model}")
    schemas["Block"] = {"oneOf": union["oneOf"], "discriminator": union["discriminator"]}
    return {
        "openapi": "3.1.0",
        "info": {"title": "Portolan", "version": __version__},
        "paths": {},
        "components": {"schemas": dict(sorted(schemas.items()))},
    }


def _without_titles(node: Any) -> Any:
    """Pydantic's titles repeat the names, and would become type names of their own in TypeScript."""
    if isinstance(node, list):
        return [_without_titles(item) for item in node]
    if isinstance(node, dict):
        return {
            key: {name: _without_titles(value) for name, value in value.items()}
            if key == "properties"
            else _without_titles(value)
            for key, value in node.items()
            if not (key == "title" and isinstance(value, str))
        }
    return node
