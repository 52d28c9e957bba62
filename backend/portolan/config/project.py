"""Where a company's own files lie, and the product's."""

from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parents[3]
"""The repository, where the product runs from a checkout of it."""
SITES_FILE: Final = "sites.toml"
_PACKAGE: Final = Path(__file__).resolve().parents[1]
_PACKAGED_WEB: Final = _PACKAGE / "web_dist"
"""The web build, where the product was installed as a wheel."""
_PACKAGED_SOURCE: Final = _PACKAGE / "web_source"
OWN_WEB: Final = "web"
"""In the var directory: the web build with the company's plugins."""


def find_sites_file(folder: Path) -> Path:
    """The registry of the project that a command was called in: ``sites.toml`` in ``folder`` or the nearest one above, else
    the checkout's. Where there is none at all, the path at which one belongs."""
    for place in (folder, *folder.parents, ROOT):
        file = place / SITES_FILE
        if file.is_file():
            return file
    return folder / SITES_FILE


def find_web_dist(var_dir: Path) -> Path:
    own = var_dir / OWN_WEB
    return own if own.is_dir() else find_products_web_dist()


def find_products_web_dist() -> Path:
    """Without plugins."""
    return _PACKAGED_WEB if _PACKAGED_WEB.is_dir() else ROOT / "web" / "dist"


def find_web_source() -> Path:
    """The folder that has ``web/`` and ``contract/``, which the web is built from."""
    return _PACKAGED_SOURCE if _PACKAGED_SOURCE.is_dir() else ROOT
