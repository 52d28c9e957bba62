"""Build the JSON Schemas of plugins' blocks and page fields. ``web/scripts/plugin-types.ts`` turns them into TypeScript
types."""

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from pydantic.json_schema import models_json_schema

from ..schemas.base import BlockData, Schema
from .blocks import BLOCKS
from .export import PLUGIN_PAGE_TYPES

_PRODUCT = "portolan."


class PluginPart(NamedTuple):
    """One block or page type of a plugin."""

    plugin: str
    component: str
    """Name of the component's file, without its folder."""
    schema: type[BlockData] | type[Schema] | None
    """The component's input; None for a page type that consists of blocks and needs no component."""


def list_plugin_parts(plugins: Sequence[str]) -> Iterator[PluginPart]:
    for block in BLOCKS:
        if plugin := _plugin_of(block, plugins):
            yield PluginPart(plugin, f"{block.type_name()}.block.tsx", block.Data)
    for page_type in sorted(PLUGIN_PAGE_TYPES, key=lambda page_type: page_type.page_type):
        if plugin := _plugin_of(page_type, plugins):
            yield PluginPart(plugin, f"{page_type.page_type.replace('-', '_')}.layout.tsx", page_type.Fields)


def build_plugin_schemas(plugins: Sequence[str]) -> dict[str, dict[str, Any]]:
    """Return JSON Schemas by plugin and name. Schemas of the product are given by name only: their types are in its
    contract."""
    found: dict[str, dict[str, Any]] = {}
    for plugin in plugins:
        schemas = [part.schema for part in list_plugin_parts(plugins) if part.plugin == plugin and part.schema]
        _, defined = models_json_schema(
            [(schema, "serialization") for schema in schemas], ref_template="#/definitions/{model}"
        )
        own = {schema.__name__ for schema in _with_nested(schemas) if not schema.__module__.startswith(_PRODUCT)}
        found[plugin] = {
            name: schema if name in own else {"$contract": name} for name, schema in defined.get("$defs", {}).items()
        }
    return found


def _with_nested(schemas: Sequence[type[Schema]]) -> Iterator[type[Schema]]:
    """Yield these schemas and all schemas nested in them."""
    waiting: list[Any] = [*schemas]
    seen = set()
    while waiting:
        schema = waiting.pop()
        if isinstance(schema, type) and issubclass(schema, Schema) and schema not in seen:
            seen.add(schema)
            yield schema
            waiting += [annotation for field in schema.model_fields.values() for annotation in _parts(field.annotation)]


def _parts(annotation: Any) -> Iterator[Any]:
    yield annotation
    for inner in getattr(annotation, "__args__", ()):
        yield from _parts(inner)


def _plugin_of(part: type, plugins: Sequence[str]) -> str | None:
    """Return the plugin that contains the class, the longest name first, because a plugin may be inside another."""
    names = sorted(plugins, key=len, reverse=True)
    return next((name for name in names if f"{part.__module__}.".startswith(f"{name}.")), None)
