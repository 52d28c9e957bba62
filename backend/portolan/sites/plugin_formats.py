"""Define the formats of plugins' stored values: their blocks, and the fields of their pages.

``releases.formats`` lists the product's own changes of format, ``<plugin>/formats.py`` those of a plugin::

    BLOCKS = {"price_table": [with_note]}
    PAGE_TYPES = {"branch": [with_telephone]}

By block type or page type: the first step migrates format 1 to 2, and so on, as in ``releases.formats.STEPS``. A step
is pure. The module must avoid importing Django, which the publisher never loads. A page's body contains the formats
of its parts, unless they are the first.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from importlib import import_module
from importlib.util import find_spec
from typing import Any, NamedTuple, cast

from ..domain.snapshot_bodies import PageBody

Step = Callable[[Any], Any]
"""Migrates to the next format. It may change the parsed value in place."""
_Steps = Mapping[str, Sequence[Step]]


class PluginFormats(NamedTuple):
    blocks: _Steps
    page_types: _Steps

    def of_block(self, type: str) -> int:
        """Return the current format of a block."""
        return 1 + len(self.blocks.get(type, ()))

    def of_page_type(self, page_type: str) -> int:
        return 1 + len(self.page_types.get(page_type, ()))


class NewerPlugin(Exception):
    """A newer version of a plugin stored a part of a page. ``name``: its block type or page type."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.name = name


@lru_cache(maxsize=8)
def load_formats(plugins: tuple[str, ...]) -> PluginFormats:
    """Return the formats of these plugins. Imports no other module of them, so that any process can call it."""
    blocks: dict[str, Sequence[Step]] = {}
    page_types: dict[str, Sequence[Step]] = {}
    for name in plugins:
        if find_spec(f"{name}.formats"):
            module = import_module(f"{name}.formats")
            blocks |= getattr(module, "BLOCKS", {})
            page_types |= getattr(module, "PAGE_TYPES", {}) or getattr(module, "FAMILIES", {})
    return PluginFormats(blocks, page_types)


def raise_plugin_parts(body: PageBody, formats: PluginFormats) -> PageBody:
    """Return ``body`` with plugins' values in the current formats. May change it in place. Raise NewerPlugin."""
    if formats.blocks or "block_formats" in body:
        stored: Mapping[str, int] = body.get("block_formats", {})
        body["blocks"] = [
            _raise(block, block["type"], stored.get(block["type"], 1), formats.blocks) for block in body["blocks"]
        ]
    if "fields" in body:
        format = body.get("fields_format", 1)
        body["fields"] = _raise(body["fields"], body["template"], format, formats.page_types)
    return body


def _raise(value: dict[str, Any], name: str, format: int, steps: _Steps) -> dict[str, Any]:
    missing = steps.get(name, ())
    if format > 1 + len(missing):
        raise NewerPlugin(name)
    for step in missing[format - 1 :]:
        value = cast(dict[str, Any], step(value))
    return value
