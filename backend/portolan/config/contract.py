"""The contract: the shapes Python and TypeScript share as one OpenAPI 3.1 document, and examples of them."""

import json
from typing import Any

from pydantic import TypeAdapter
from pydantic.json_schema import models_json_schema

from .. import __version__
from ..api.document import build_paths
from ..content.examples import build_block_examples, build_page_example, build_shared_example
from ..content.page_content import AnyBlockData, PageContent
from ..shapes.base import Shape
from ..shapes.page import AppData, PageData, SharedData

_SHAPES = (PageContent, PageData, SharedData, AppData)


def build_files() -> dict[str, str]:
    """Text of every file of contract/ by its name there. Stable: the same shapes give the same bytes."""
    examples: dict[str, Shape] = {f"blocks/{name}": data for name, data in build_block_examples().items()}
    examples["pages/home"] = build_page_example()
    examples["pages/shared"] = build_shared_example()
    return {
        "openapi.json": _json(build_contract()),
        **{
            f"examples/{name}.json": _json(example.model_dump(mode="json", by_alias=True))
            for name, example in sorted(examples.items())
        },
    }


def build_contract() -> dict[str, Any]:
    """The OpenAPI document, ready to be written as JSON."""
    _, schema = models_json_schema(
        [(shape, "serialization") for shape in _SHAPES], ref_template="#/components/schemas/{model}"
    )
    schemas = {name: _without_titles(definition) for name, definition in schema["$defs"].items()}
    union = TypeAdapter(AnyBlockData).json_schema(mode="serialization", ref_template="#/components/schemas/{model}")
    schemas["Block"] = {"oneOf": union["oneOf"], "discriminator": union["discriminator"]}
    paths, components = build_paths()
    schemas = {name: _without_titles(definition) for name, definition in components.pop("schemas").items()} | schemas
    return {
        "openapi": "3.1.0",
        "info": {"title": "Portolan", "version": __version__},
        "paths": _without_titles(paths),
        "components": {**components, "schemas": dict(sorted(schemas.items()))},
    }


def _json(value: Any) -> str:
    return json.dumps(value, indent=2, ensure_ascii=False) + "\n"


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
