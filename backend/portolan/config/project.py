"""Find the files of the company and of Portolan."""

from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parents[3]
"""The repository, if Portolan runs from a checkout."""
SITES_FILE: Final = "sites.toml"
_PACKAGE: Final = Path(__file__).resolve().parents[1]
_PACKAGED_WEB: Final = _PACKAGE / "web_dist"
"""The web build of an installed wheel."""
_PACKAGED_SOURCE: Final = _PACKAGE / "web_source"
OWN_WEB: Final = "web"
"""Folder in the var directory of the web build with the company's plugins."""


def find_sites_file(folder: Path) -> Path:
    """Return ``sites.toml`` in ``folder``, in the nearest folder above, or in the checkout.

    If there is none, return its path in ``folder``.
    """
    for place in (folder, *folder.parents, ROOT):
        file = place / SITES_FILE
        if file.is_file():
            return file
    return folder / SITES_FILE


def find_web_dist(var_dir: Path) -> Path:
    own = var_dir / OWN_WEB
    return own if own.is_dir() else find_products_web_dist()


def find_products_web_dist() -> Path:
    """Return the web build without plugins."""
    return _PACKAGED_WEB if _PACKAGED_WEB.is_dir() else ROOT / "web" / "dist"


def find_web_source() -> Path:
    """Return the folder with the web's sources ``web/`` and ``contract/``."""
    return _PACKAGED_SOURCE if _PACKAGED_SOURCE.is_dir() else ROOT
