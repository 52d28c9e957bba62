"""What is of the company's own: blocks and page families of the plugins that the registry names.

A plugin is a Python package and a Django app of the name it is imported by. Its ``__init__`` imports nothing; ``blocks`` has
``BLOCKS``, ``models`` its page families, ``formats`` how to raise what it froze earlier (``sites.plugin_formats``).
"""

import re
from collections.abc import Iterator, Sequence
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Final

from ..domain.cards import CARD_KINDS

if TYPE_CHECKING:
    from .blocks.base import SiteBlock
    from .pages.base import SitePage

_FAMILY: Final = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")
_LONGEST_FAMILY: Final = 40
"""As releases keep it."""


class PluginError(Exception):
    """A plugin cannot be used. The message says which, why, and what to do."""


def find_plugin_folder(name: str) -> Path:
    """Where the package's files lie; it is not imported. Raises PluginError."""
    try:
        spec = find_spec(name)
    except ImportError:  # not even the package it is in
        spec = None
    if spec is None or spec.origin is None or not spec.submodule_search_locations:
        raise PluginError(
            f"The plugin {name} of sites.toml is no package that Python finds, so nothing was started. Put its folder, with an "
            "__init__.py, beside sites.toml, install it, or take it out of plugins."
        )
    return Path(spec.origin).parent


def find_plugin_apps(modules: Sequence[str], own: Sequence[str]) -> list[str]:
    """The plugins as Django apps, beside ``own``, each with a label of its own. Nothing of them is imported."""
    labels = {_label(app): app for app in own}
    for name in modules:
        find_plugin_folder(name)
        if (other := labels.setdefault(_label(name), name)) != name:
            raise PluginError(
                f"The plugin {name} and {other} are both known as {_label(name)!r}, so their tables could not be told apart and "
                "nothing was started. Rename the plugin's package."
            )
    return list(modules)


def find_plugin_blocks(modules: Sequence[str], own: "Sequence[type[SiteBlock]]") -> "Iterator[type[SiteBlock]]":
    """``BLOCKS`` of each plugin's ``blocks``, none of which has the type of another. Raises PluginError."""
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


def find_plugin_families(modules: Sequence[str], own: "Sequence[type[SitePage]]") -> "Iterator[type[SitePage]]":
    """The page families in each plugin's ``models``, of which none has the name of another. Raises PluginError."""
    families = {family.family: "the product" for family in own}
    models = {str(family._meta.model_name): "the product" for family in own} | {"folderpage": "the product"}
    for name in modules:
        for family in _families_of(name):
            _check_family(name, family)
            for taken, said, value in (
                (families, "page family", family.family),
                (models, "page class", str(family._meta.model_name)),
            ):
                if value in taken:
                    raise PluginError(
                        f"The plugin {name} has a {said} {value!r}, and so has {taken[value]}: pages could not tell them apart, "
                        "so nothing was started. Give it another name."
                    )
                taken[value] = name
            yield family


def _label(app: str) -> str:
    return app.rpartition(".")[2]


def _blocks_of(name: str) -> "Sequence[type[SiteBlock]]":
    from .blocks.base import SiteBlock

    module = _import(name, "blocks")
    if module is None:
        return ()
    try:
        blocks = module.BLOCKS
    except AttributeError as error:
        raise PluginError(
            f"{name}.blocks, of the plugin {name} of sites.toml, has no BLOCKS, so nothing was started. Add it."
        ) from error
    strange = [block for block in blocks if not (isinstance(block, type) and issubclass(block, SiteBlock))]
    if strange:
        raise PluginError(
            f"BLOCKS of the plugin {name} holds {strange[0]!r}, which is no SiteBlock, so nothing was started."
        )
    return tuple(blocks)


def _families_of(name: str) -> "Sequence[type[SitePage]]":
    """Those that stand in its ``models``, in their order there, and are the plugin's."""
    from .pages.base import SitePage

    module = _import(name, "models")
    found = [value for value in vars(module).values() if isinstance(value, type)] if module else []
    return [
        value
        for value in dict.fromkeys(found)
        if issubclass(value, SitePage) and not value._meta.abstract and f"{value.__module__}.".startswith(f"{name}.")
    ]


def _import(name: str, part: str) -> ModuleType | None:
    """None where the plugin has no such part. An error inside of it is the author's to see, with its lines."""
    folder = find_plugin_folder(name)
    if not (folder / f"{part}.py").exists() and not (folder / part / "__init__.py").exists():
        return None
    return import_module(f"{name}.{part}")


def _check_family(name: str, family: "type[SitePage]") -> None:
    from ..schemas.base import Schema
    from .pages.card import CardPage

    said = f"The plugin {name}, page class {family.__name__}"
    value = getattr(family, "family", None)
    if not isinstance(value, str) or not _FAMILY.fullmatch(value) or len(value) > _LONGEST_FAMILY:
        raise PluginError(
            f"{said}: {value!r} cannot be the name of a page family, so nothing was started. Write family = with small letters, "
            f"digits and hyphens, {_LONGEST_FAMILY} at most."
        )
    if issubclass(family, CardPage):
        raise PluginError(
            f"{said}: only the product's families ({', '.join(CARD_KINDS)}) have cards, so nothing was started. Derive it from "
            "SitePage."
        )
    if family._meta.app_label != _label(name):
        raise PluginError(
            f"{said} belongs to the Django app {family._meta.app_label!r}, and has to belong to {_label(name)!r}, by which its "
            "migrations are found; nothing was started. Take the label out of the plugin's apps.py."
        )
    if family.header not in ("transparent", "solid"):
        raise PluginError(
            f"{said}: header is {family.header!r}; write 'solid' or 'transparent'. Nothing was started until then."
        )
    if family.Fields is not None and not issubclass(family.Fields, Schema):
        raise PluginError(f"{said}: Fields is no portolan.schemas.base.Schema, so nothing was started.")
