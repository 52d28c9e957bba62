"""Formats of what plugins freeze: values of their blocks, and fields of their pages. The product knows when its own change
(``releases.formats``), a plugin says it of its own, in ``<plugin>/formats.py``::

    BLOCKS = {"price_table": [with_note]}
    FAMILIES = {"branch": [with_telephone]}

By block type or page family: the first step raises format 1 to 2, and so on, as in ``releases.formats.STEPS``. A step is pure, and the
module imports nothing of Django: who publishes has none. A page's body says the formats of what stands in it, where they are
others than the first.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from importlib import import_module
from importlib.util import find_spec
from typing import Any, NamedTuple, cast

from ..domain.frozen_bodies import PageBody

Step = Callable[[Any], Any]
"""From one format to the next. It may change the parsed value that it is given."""
_Steps = Mapping[str, Sequence[Step]]


class PluginFormats(NamedTuple):
    blocks: _Steps
    families: _Steps

    def of_block(self, type: str) -> int:
        """The format in which it is frozen today."""
        return 1 + len(self.blocks.get(type, ()))

    def of_family(self, family: str) -> int:
        return 1 + len(self.families.get(family, ()))


class NewerPlugin(Exception):
    """A part of a page was frozen by a newer version of its plugin. ``name``: its block type or page family."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.name = name


@lru_cache(maxsize=8)
def load_formats(plugins: tuple[str, ...]) -> PluginFormats:
    """Of these plugins, in any process: nothing else of them is imported."""
    blocks: dict[str, Sequence[Step]] = {}
    families: dict[str, Sequence[Step]] = {}
    for name in plugins:
        if find_spec(f"{name}.formats"):
            module = import_module(f"{name}.formats")
            blocks |= getattr(module, "BLOCKS", {})
            families |= getattr(module, "FAMILIES", {})
    return PluginFormats(blocks, families)


def raise_plugin_parts(body: PageBody, formats: PluginFormats) -> PageBody:
    """``body`` with everything of plugins' in today's formats; it may be changed. Raises NewerPlugin."""
    if formats.blocks or "block_formats" in body:
        stored: Mapping[str, int] = body.get("block_formats", {})
        body["blocks"] = [
            _raise(block, block["type"], stored.get(block["type"], 1), formats.blocks) for block in body["blocks"]
        ]
    if "fields" in body:
        format = body.get("fields_format", 1)
        body["fields"] = _raise(body["fields"], body["template"], format, formats.families)
    return body


def _raise(value: dict[str, Any], name: str, format: int, steps: _Steps) -> dict[str, Any]:
    missing = steps.get(name, ())
    if format > 1 + len(missing):
        raise NewerPlugin(name)
    for step in missing[format - 1 :]:
        value = cast(dict[str, Any], step(value))
    return value
