"""Reading a folder of fixtures: TOML files in, plain values with their files out. Knows no models."""

import tomllib
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final

from portolan.domain.routes import OFFLINE_PAGE, is_page_path
from portolan.sites.registry import Registry

from .problems import FixtureError, FixtureProblem
from .shared_fields import with_shared_fields

_FOLDERS: Final = ("pictures", "collections", "documents")
_FILES: Final[Mapping[str, Mapping[str, type]]] = {
    "pictures.toml": {"pictures": dict},
    "offices.toml": {"categories": dict, "offices": list},
}
"""What has to stand in each."""
_LEADS: Final = "leads.toml"  # read by seed.leads
_SITE_FILES: Final = ("menu.toml", "footer.toml", "rates.toml")
_PAGE_KEYS: Final = {"title", "template", "head", "fields", "blocks", "switcher_hidden"}
_HEAD_KEYS: Final = {"title", "description"}
_SPECIAL_PATHS: Final = {"home": "/", "404": "/404.html", "500": "/500.html", "offline": OFFLINE_PAGE}


@dataclass(frozen=True)
class Fixture:
    """One file's content. ``file`` is relative to the folder of fixtures, for messages."""

    file: Path
    data: Mapping[str, Any]


@dataclass(frozen=True)
class SiteFixtures:
    menu: Fixture | None = None
    footer: Fixture | None = None
    rates: Fixture | None = None
    pages: Mapping[str, Fixture] = field(default_factory=dict)
    """By path, parents before their children. Shared fields that a translation leaves out are filled in."""
    collections: Mapping[str, Fixture] = field(default_factory=dict)
    """The site's translations of collections, by the collection's name."""


@dataclass(frozen=True)
class Fixtures:
    root: Path
    pictures: Fixture
    offices: Fixture
    collections: Mapping[str, Fixture]
    """Shared fields of collections, by the collection's name."""
    sites: Mapping[str, SiteFixtures]


def read_fixtures(root: Path, registry: Registry, collections: Collection[str]) -> Fixtures:
    """Everything below ``root``. Raises FixtureError with all problems that can be seen without a database.

    ``collections`` are the names of those there may be: ``reviews`` for ``collections/reviews.toml``.
    """
    return _Reading(root, registry, collections).fixtures()


class _Reading:
    def __init__(self, root: Path, registry: Registry, collections: Collection[str]) -> None:
        self.root = root
        self.site_keys = list(registry.sites)
        self.default = registry.company.default_site
        self.collections = collections
        self.problems: list[FixtureProblem] = []
        self.unreadable: set[Path] = set()

    def fixtures(self) -> Fixtures:
        if not self.root.is_dir():
            self.complain(self.root, "", "there is no such folder; give one with --dir")
            raise FixtureError(self.problems)
        self._refuse_strange_folders()
        self._refuse_strange_files(self.root, (*_FILES, _LEADS))
        shared = self._collections(Path("collections"))
        sites = {key: self._site(key) for key in self.site_keys if (self.root / key).is_dir()}
        found = Fixtures(
            self.root,
            self._required("pictures.toml"),
            self._required("offices.toml"),
            shared,
            {key: self._with_shared_fields(key, site, sites) for key, site in sites.items()},
        )
        self._refuse_translations_of_nothing(found)
        if self.problems:
            raise FixtureError(self.problems)
        return found

    def complain(self, file: Path, where: str, message: str) -> None:
        self.problems.append(FixtureProblem(file, where, message))

    def _refuse_strange_folders(self) -> None:
        for folder in sorted(self.root.iterdir()):
            if folder.is_dir() and folder.name not in (*self.site_keys, *_FOLDERS):
                known = ", ".join(self.site_keys)
                self.complain(
                    Path(folder.name), "", f"the registry has no site of this key (it has {known}); rename the folder"
                )

    def _refuse_strange_files(self, folder: Path, known: Collection[str]) -> None:
        for file in sorted(folder.glob("*.toml")):
            if file.name not in known:
                self.complain(
                    file.relative_to(self.root), "", f"is read by nothing; there are {', '.join(known)}. Rename it"
                )

    def _site(self, key: str) -> SiteFixtures:
        self._refuse_strange_files(self.root / key, _SITE_FILES)
        menu, footer, rates = (self._file(f"{key}/{name}", None, optional=True) for name in _SITE_FILES)
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
        return SiteFixtures(
            menu if menu.data else None,
            footer if footer.data else None,
            rates if rates.data else None,
            pages,
            self._collections(Path(key, "collections")),
        )

    def _check_page(self, page: Fixture) -> None:
        if not page.data:
            return  # could not be read, which has been said
        for key in ("title", "template"):
            if not isinstance(page.data.get(key), str):
                self.complain(page.file, key, "is missing; add it")
        for key, kind, form in (("head", dict, "[head]"), ("fields", dict, "[fields]"), ("blocks", list, "[[blocks]]")):
            if not isinstance(page.data.get(key, kind()), kind):
                self.complain(page.file, key, f"must be written as {form}")
                return
        for key in page.data.get("head", {}).keys() - _HEAD_KEYS:
            self.complain(page.file, f"head.{key}", "is not a known key; remove it or correct its spelling")
        for index, block in enumerate(page.data.get("blocks", [])):
            if "type" not in block:
                self.complain(page.file, f"blocks.{index}.type", "is missing; add it")

    def _with_shared_fields(self, key: str, site: SiteFixtures, sites: Mapping[str, SiteFixtures]) -> SiteFixtures:
        if key == self.default or self.default not in sites:
            return site
        originals = sites[self.default].pages
        return replace(
            site, pages={path: self._translation(page, originals.get(path)) for path, page in site.pages.items()}
        )

    def _translation(self, page: Fixture, original: Fixture | None) -> Fixture:
        if original is None or original.data.get("template") != page.data.get("template"):
            return page
        given, shared = page.data.get("fields", {}), original.data.get("fields", {})
        if not (isinstance(given, Mapping) and isinstance(shared, Mapping) and shared):
            return page
        fields = with_shared_fields(given, shared, lambda key, words: self.complain(page.file, f"fields.{key}", words))
        return replace(page, data={**page.data, "fields": fields})

    def _collections(self, folder: Path) -> Mapping[str, Fixture]:
        files = {name: folder / f"{name}.toml" for name in self.collections}
        self._refuse_strange_files(self.root / folder, [file.name for file in files.values()])
        found = {name: self._file(str(file), None) for name, file in files.items() if (self.root / file).exists()}
        for fixture in found.values():
            for key, entry in fixture.data.items():
                if not isinstance(entry, Mapping):
                    self.complain(fixture.file, key, f"stands outside of an entry; begin one above it, as in [{key}]")
        return found

    def _refuse_translations_of_nothing(self, found: Fixtures) -> None:
        for site in found.sites.values():
            for name, translations in site.collections.items():
                shared = found.collections.get(name)
                if shared and shared.file in self.unreadable:
                    continue
                for key in translations.data.keys() - (shared.data.keys() if shared else set()):
                    self.complain(
                        translations.file,
                        key,
                        f"there is no such entry in collections/{name}.toml; add it there, or remove it",
                    )

    def _required(self, name: str) -> Fixture:
        """One of ``_FILES``, its parts of the right form; each may be empty."""
        forms = _FILES[name]
        fixture = self._file(name, set(forms))
        for key, form in forms.items() if fixture.file not in self.unreadable else ():
            entries: Any = fixture.data.get(key)
            empty, begin = ("[]", f"[[{key}]]") if form is list else ("{}", f"[{key}.NAME]")
            fits = isinstance(entries, form)
            if not fits:
                self.complain(
                    fixture.file, key, f"is missing; begin each with {begin}, or write {key} = {empty} for none"
                )
                continue
            each: Iterable[tuple[object, object]] = entries.items() if form is dict else enumerate(entries)
            for entry, value in each:
                if not isinstance(value, Mapping):
                    self.complain(fixture.file, f"{key}.{entry}", f"must be written as {begin}")
        return fixture

    def _file(self, name: str, keys: set[str] | None, optional: bool = False) -> Fixture:
        file = self.root / name
        if optional and not file.exists():
            return Fixture(Path(name), {})
        try:
            data = tomllib.loads(file.read_text(encoding="utf-8"))
        except OSError as error:
            return self._unreadable(name, f"cannot be read ({error.strerror}); create it")
        except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
            return self._unreadable(name, f"is not valid TOML: {error}; correct that line")
        for key in sorted(data.keys() - keys) if keys is not None else ():
            self.complain(Path(name), key, "is not a known key; remove it or correct its spelling")
        return Fixture(Path(name), data)

    def _unreadable(self, name: str, message: str) -> Fixture:
        self.complain(Path(name), "", message)
        self.unreadable.add(Path(name))
        return Fixture(Path(name), {})
