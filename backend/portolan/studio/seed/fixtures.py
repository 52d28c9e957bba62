"""Reading a folder of fixtures: TOML files in, plain values with their files out. Knows no models."""

import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from ...domain.routes import is_page_path
from .problems import FixtureError, FixtureProblem

_SITE_FILES: Final = ("menu.toml", "footer.toml")
_PAGE_KEYS: Final = {"title", "template", "head", "blocks", "switcher_hidden"}
_HEAD_KEYS: Final = {"title", "description"}
_SPECIAL_PATHS: Final = {"home": "/", "404": "/404.html", "500": "/500.html"}


@dataclass(frozen=True)
class Fixture:
    """One file's content. ``file`` is relative to the folder of fixtures, for messages."""

    file: Path
    data: Mapping[str, Any]


@dataclass(frozen=True)
class SiteFixtures:
    menu: Fixture | None = None
    footer: Fixture | None = None
    pages: Mapping[str, Fixture] = field(default_factory=dict)
    """By path, parents before their children."""


@dataclass(frozen=True)
class Fixtures:
    root: Path
    pictures: Fixture
    offices: Fixture
    sites: Mapping[str, SiteFixtures]


def read_fixtures(root: Path, site_keys: Iterable[str]) -> Fixtures:
    """Everything below ``root``. Raises FixtureError with all problems that can be seen without a database."""
    return _Reading(root, list(site_keys)).fixtures()


class _Reading:
    def __init__(self, root: Path, site_keys: list[str]) -> None:
        self.root = root
        self.site_keys = site_keys
        self.problems: list[FixtureProblem] = []

    def fixtures(self) -> Fixtures:
        if not self.root.is_dir():
            self.complain(self.root, "", "there is no such folder; give one with --dir")
            raise FixtureError(self.problems)
        self._refuse_strange_folders()
        found = Fixtures(
            self.root,
            self._file("pictures.toml", {"pictures"}),
            self._file("offices.toml", {"categories", "offices"}),
            {key: self._site(key) for key in self.site_keys if (self.root / key).is_dir()},
        )
        if self.problems:
            raise FixtureError(self.problems)
        return found

    def complain(self, file: Path, where: str, message: str) -> None:
        self.problems.append(FixtureProblem(file, where, message))

    def _refuse_strange_folders(self) -> None:
        for folder in sorted(self.root.iterdir()):
            if folder.is_dir() and folder.name not in (*self.site_keys, "pictures"):
                known = ", ".join(self.site_keys)
                self.complain(
                    Path(folder.name), "", f"the registry has no site of this key (it has {known}); rename the folder"
                )

    def _site(self, key: str) -> SiteFixtures:
        menu, footer = (self._file(f"{key}/{name}", None, optional=True) for name in _SITE_FILES)
        folder = self.root / key / "pages"
        pages = {}
        for file in sorted(folder.rglob("*.toml"), key=lambda file: file.relative_to(folder).with_suffix("").parts):
            stem = file.relative_to(folder).with_suffix("").as_posix()
            path = _SPECIAL_PATHS.get(stem, f"/{stem}")
            if not is_page_path(path):
                self.complain(file.relative_to(self.root), "", f"{path} cannot be a page's address; rename the file")
            page = self._file(file.relative_to(self.root).as_posix(), _PAGE_KEYS)
            self._check_page(page)
            pages[path] = page
        return SiteFixtures(menu if menu.data else None, footer if footer.data else None, pages)

    def _check_page(self, page: Fixture) -> None:
        if not page.data:
            return  # could not be read, which has been said
        for key in ("title", "template"):
            if not isinstance(page.data.get(key), str):
                self.complain(page.file, key, "is missing; add it")
        head = page.data.get("head", {})
        for key in head.keys() - _HEAD_KEYS:
            self.complain(page.file, f"head.{key}", "is not a known key; remove it or correct its spelling")
        for index, block in enumerate(page.data.get("blocks", [])):
            if "type" not in block:
                self.complain(page.file, f"blocks.{index}.type", "is missing; add it")

    def _file(self, name: str, keys: set[str] | None, optional: bool = False) -> Fixture:
        file = self.root / name
        if optional and not file.exists():
            return Fixture(Path(name), {})
        try:
            data = tomllib.loads(file.read_text(encoding="utf-8"))
        except OSError as error:
            self.complain(Path(name), "", f"cannot be read ({error.strerror}); create it")
            return Fixture(Path(name), {})
        except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
            self.complain(Path(name), "", f"is not valid TOML: {error}; correct that line")
            return Fixture(Path(name), {})
        for key in sorted(data.keys() - keys) if keys is not None else ():
            self.complain(Path(name), key, "is not a known key; remove it or correct its spelling")
        return Fixture(Path(name), data)
