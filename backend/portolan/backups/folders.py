"""Find the files of an installation that belong in a backup."""

import re
import tomllib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

from ..builds.disk import PART_SUFFIX
from ..sites.brand import BRAND_FILE
from .catalogue import Area

_NOT_BUILDS: Final = re.compile(r"(\.lock$)|(^edges/)")
"""Files of running processes in the builds' folder."""
_KEY_FILE: Final = "secret-key"


class Folders(NamedTuple):
    """Folders of one installation, from its settings."""

    sites_file: Path
    var_dir: Path
    media_dir: Path
    leads_dir: Path
    builds_dir: Path
    own_web: Path
    """The web build with plugins; missing if Portolan's own is used."""
    database: str
    plugins: Sequence[str] = ()
    media_storage: str = ""
    """URL of the upload storage; empty: uploads are in ``media_dir``."""

    @property
    def project(self) -> Path:
        return self.sites_file.absolute().parent

    @property
    def spool(self) -> Path:
        return self.leads_dir / "spool"

    def root(self, area: Area) -> Path:
        """Return the folder to which paths of an area are relative."""
        return {
            "database": self.var_dir,
            "media": self.media_dir,
            "leads": self.leads_dir,
            "spool": self.spool,
            "project": self.project,
            "builds": self.builds_dir,
            "web": self.own_web,
            "var": self.var_dir,
        }[area]


class Found(NamedTuple):
    area: Area
    path: str
    file: Path


def find_files(folders: Folders, with_secret: bool, with_builds: bool) -> Iterator[Found]:
    """Yield all files except database and spool, which need one moment, and uploads in a storage."""
    if not folders.media_storage:
        yield from _below("media", folders.media_dir)
    yield from _below("leads", folders.leads_dir, ("files", "retention"))
    yield from _find_project(folders)
    yield from _below("web", folders.own_web)
    if with_secret and (folders.var_dir / _KEY_FILE).is_file():
        yield Found("var", _KEY_FILE, folders.var_dir / _KEY_FILE)
    if with_builds:
        found = list(_below("builds", folders.builds_dir))  # manifests before the store, which only grows meanwhile
        yield from (each for each in found if not _NOT_BUILDS.search(each.path))


def _find_project(folders: Folders) -> Iterator[Found]:
    project = folders.project
    names = [
        folders.sites_file.name,
        BRAND_FILE,
        "brand",
        "public",
        *(name.partition(".")[0] for name in folders.plugins),
    ]
    names += _named_in(project / BRAND_FILE)
    for name in dict.fromkeys(names):
        path = project / name
        if path.is_file():
            yield Found("project", name, path)
        else:
            yield from _below("project", project, (name,))


def _named_in(brand: Path) -> list[str]:
    """Return the files in the project that ``brand.toml`` names."""
    try:
        document = tomllib.loads(brand.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return []
    return [name for name in _texts(document) if _is_inside(brand.parent, name) and not name.startswith("brand/")]


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list):
        for each in value.values() if isinstance(value, dict) else value:
            yield from _texts(each)


def _is_inside(folder: Path, name: str) -> bool:
    path = (folder / name).resolve()
    return path.is_file() and path.is_relative_to(folder.resolve())


def _below(area: Area, root: Path, parts: Sequence[str] = ("",)) -> Iterator[Found]:
    for part in parts:
        start = root / part
        files = [start] if start.is_file() else sorted(start.rglob("*")) if start.is_dir() else []
        for file in files:
            path = file.relative_to(root).as_posix()
            if file.is_file() and not path.endswith(PART_SUFFIX) and "__pycache__" not in path:
                yield Found(area, path, file)
