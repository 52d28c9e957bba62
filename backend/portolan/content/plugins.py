"""Blocks of the company's own: those of the modules that the registry names under ``plugins``."""

from collections.abc import Iterator, Sequence
from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .blocks.base import SiteBlock


class PluginError(Exception):
    """A plugin cannot be used. The message says which, why, and what to do."""


def find_plugin_blocks(modules: Sequence[str], own: "Sequence[type[SiteBlock]]") -> "Iterator[type[SiteBlock]]":
    """``BLOCKS`` of each module, none of which has the type of another. Raises PluginError."""
    taken = {block.type_name(): "the product" for block in own}
    for name in modules:
        for block in _blocks_of(name):
            kind = block.type_name()
            if kind in taken:
                raise PluginError(
                    f"The plugin {name} has a block {kind!r}, and so has {taken[kind]}: pages could not tell them apart, so "
                    "nothing was started. Give it another type."
                )
            taken[kind] = name
            yield block


def _blocks_of(name: str) -> "Sequence[type[SiteBlock]]":
    from .blocks.base import SiteBlock

    try:
        blocks = import_module(name).BLOCKS
    except ImportError as error:
        raise PluginError(
            f"The plugin {name} of sites.toml cannot be imported ({error}), so nothing was started. Put it beside sites.toml, "
            "install it, or take it out of plugins."
        ) from error
    except AttributeError as error:
        raise PluginError(
            f"The plugin {name} of sites.toml has no BLOCKS ({error}), so nothing was started. Add it."
        ) from error
    strange = [block for block in blocks if not (isinstance(block, type) and issubclass(block, SiteBlock))]
    if strange:
        raise PluginError(
            f"BLOCKS of the plugin {name} holds {strange[0]!r}, which is no SiteBlock, so nothing was started."
        )
    return tuple(blocks)
