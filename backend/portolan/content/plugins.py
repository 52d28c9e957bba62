"""Load the company's plugins, which add blocks and page types and are listed in the site configuration.

A plugin is a Python package and a Django app of the same name. Its ``__init__`` imports nothing. ``blocks`` has
``BLOCKS``, ``models`` its page types, ``formats`` the migrations of its stored formats (``sites.plugin_formats``).
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

_PAGE_TYPE: Final = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")
_LONGEST_PAGE_TYPE: Final = 40
"""Limit of the column in releases."""


class PluginError(Exception):
    """A plugin cannot be used. The message has the plugin, the reason and the fix."""


def find_plugin_folder(name: str) -> Path:
    """Return the package's folder without importing it. Raise PluginError."""
    try:
        spec = find_spec(name)
    except ImportError:  # the parent package is missing too
        spec = None
    if spec is None or spec.origin is None or not spec.submodule_search_locations:
        raise PluginError(
            f"Python cannot find the plugin package {name} of sites.toml, so nothing was started. Put its folder, with an "
            "__init__.py, next to sites.toml, install it, or remove it from plugins."
        )
    return Path(spec.origin).parent


def find_plugin_apps(modules: Sequence[str], own: Sequence[str]) -> list[str]:
    """Return the plugins as Django apps, with labels that differ from each other and from ``own``. Imports none of
    them."""
    labels = {_label(app): app for app in own}
    for name in modules:
        find_plugin_folder(name)
        if (other := labels.setdefault(_label(name), name)) != name:
            raise PluginError(
                f"The plugin {name} and {other} both have the app label {_label(name)!r}, so nothing was started. Rename the "
                "plugin's package."
            )
    return list(modules)


def find_plugin_blocks(modules: Sequence[str], own: "Sequence[type[SiteBlock]]") -> "Iterator[type[SiteBlock]]":
    """Yield ``BLOCKS`` of each plugin's ``blocks``. Raise PluginError if two blocks have the same type."""
    taken = {block.type_name(): "the product" for block in own}
    for name in modules:
        for block in _blocks_of(name):
            kind = block.type_name()
            if kind in taken:
                raise PluginError(
                    f"The plugin {name} has a block {kind!r}, which {taken[kind]} has too, so nothing was started. Give it "
                    "another type."
                )
            taken[kind] = name
            yield block


def find_plugin_page_types(modules: Sequence[str], own: "Sequence[type[SitePage]]") -> "Iterator[type[SitePage]]":
    """Yield the page types in each plugin's ``models``. Raise PluginError if two have the same name."""
    page_types = {page_type.page_type: "the product" for page_type in own}
    models = {str(page_type._meta.model_name): "the product" for page_type in own} | {"folderpage": "the product"}
    for name in modules:
        for page_type in _page_types_of(name):
            _check_page_type(name, page_type)
            for taken, said, value in (
                (page_types, "page type", page_type.page_type),
                (models, "page class", str(page_type._meta.model_name)),
            ):
                if value in taken:
                    raise PluginError(
                        f"The plugin {name} has a {said} {value!r}, which {taken[value]} has too, so nothing was started. Give "
                        "it another name."
                    )
                taken[value] = name
            yield page_type


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
            f"The module {name}.blocks of the plugin {name} has no BLOCKS, so nothing was started. Add BLOCKS."
        ) from error
    strange = [block for block in blocks if not (isinstance(block, type) and issubclass(block, SiteBlock))]
    if strange:
        raise PluginError(
            f"BLOCKS of the plugin {name} contains {strange[0]!r}, which is not a SiteBlock, so nothing was started."
        )
    return tuple(blocks)


def _page_types_of(name: str) -> "Sequence[type[SitePage]]":
    """Return the page types defined in the plugin's ``models``, in order."""
    from .pages.base import SitePage

    module = _import(name, "models")
    found = [value for value in vars(module).values() if isinstance(value, type)] if module else []
    return [
        value
        for value in dict.fromkeys(found)
        if issubclass(value, SitePage) and not value._meta.abstract and f"{value.__module__}.".startswith(f"{name}.")
    ]


def _import(name: str, part: str) -> ModuleType | None:
    """Import a module of a plugin, or return None for a missing one. Errors inside it are raised with their
    traceback."""
    folder = find_plugin_folder(name)
    if not (folder / f"{part}.py").exists() and not (folder / part / "__init__.py").exists():
        return None
    return import_module(f"{name}.{part}")


def _check_page_type(name: str, page_type: "type[SitePage]") -> None:
    from ..schemas.base import Schema
    from .pages.card import CardPage

    said = f"The plugin {name}, page class {page_type.__name__}"
    value = getattr(page_type, "page_type", None)
    if not isinstance(value, str) or not _PAGE_TYPE.fullmatch(value) or len(value) > _LONGEST_PAGE_TYPE:
        raise PluginError(
            f"{said}: {value!r} cannot be the name of a page type, so nothing was started. Set page_type to lower-case letters, "
            f"digits and hyphens, at most {_LONGEST_PAGE_TYPE} characters."
        )
    if issubclass(page_type, CardPage):
        raise PluginError(
            f"{said}: only the product's page types ({', '.join(CARD_KINDS)}) have cards, so nothing was started. Derive it "
            "from SitePage."
        )
    if page_type._meta.app_label != _label(name):
        raise PluginError(
            f"{said} belongs to the Django app {page_type._meta.app_label!r} instead of {_label(name)!r}, where its migrations "
            "are, so nothing was started. Remove the label from the plugin's apps.py."
        )
    if page_type.header not in ("transparent", "solid"):
        raise PluginError(
            f"{said}: header is {page_type.header!r}, so nothing was started. Set it to 'solid' or 'transparent'."
        )
    if page_type.Fields is not None and not issubclass(page_type.Fields, Schema):
        raise PluginError(f"{said}: Fields is not a portolan.schemas.base.Schema, so nothing was started.")
