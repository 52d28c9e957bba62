"""Compare the migrations of the database with those of this version of the product.

Uses plain SQL and file names, because the publisher and the commands run it without Django.
"""

import re
from collections.abc import Iterable, Mapping
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import Final, NamedTuple

_PACKAGES: Final[Mapping[str, str]] = {
    "accounts": "portolan.accounts",
    "article_views": "portolan.article_views",
    "auth": "django.contrib.auth",
    "consent_records": "portolan.consent_records",
    "content": "portolan.content",
    "contenttypes": "django.contrib.contenttypes",
    "leads": "portolan.leads",
    "previews": "portolan.studio.previews",
    "releases": "portolan.releases",
    "retention": "portolan.retention",
    "rights": "portolan.rights",
    "sessions": "django.contrib.sessions",
    "simple_translation": "wagtail.contrib.simple_translation",
    "studio": "portolan.studio",
    "taggit": "taggit",
    "translations": "portolan.translations",
    "wagtailadmin": "wagtail.admin",
    "wagtailcore": "wagtail",
    "wagtaildocs": "wagtail.documents",
    "wagtailembeds": "wagtail.embeds",
    "wagtailimages": "wagtail.images",
    "wagtailsearch": "wagtail.search",
    "wagtailusers": "wagtail.users",
}
"""Packages with migrations, by Django's label of the app."""
_NUMBERS: Final = re.compile(r"(?:^|_squashed_)(\d{4})")


class Migration(NamedTuple):
    app: str
    name: str

    def __str__(self) -> str:
        return f"{self.app}.{self.name}"


class WrongDatabase(Exception):
    """The database and this version do not fit (``database_errors`` has the fix)."""

    def __init__(self, migrations: list[Migration]) -> None:
        super().__init__(", ".join(map(str, migrations)))
        self.migrations = migrations


class NewerDatabase(WrongDatabase):
    """The database has migrations that are unknown to this version."""


class OlderDatabase(WrongDatabase):
    """The database lacks migrations of this version."""


class Differences(NamedTuple):
    unknown: list[Migration]
    """Only a newer version can have applied them."""
    missing: list[Migration]


def compare(applied: Iterable[Migration], known: Mapping[str, frozenset[str]]) -> Differences:
    """Compare applied and known migrations.

    Replaced migrations do not count as newer: their numbers are lower than the newest known one. Apps that are not
    installed are skipped.
    """
    applied = {*applied}
    newest = {app: max(map(_number, names)) for app, names in known.items()}
    unknown = [
        migration
        for migration in applied
        if migration.app in known
        and migration.name not in known[migration.app]
        and _number(migration.name) >= newest[migration.app]
    ]
    missing = {Migration(app, name) for app, names in known.items() for name in names} - applied
    return Differences(sorted(unknown), sorted(missing))


def require_fit(applied: Iterable[Migration], plugins: Iterable[str] = ()) -> None:
    """Raise NewerDatabase or OlderDatabase if the migrations differ."""
    unknown, missing = compare(applied, known_migrations(plugins))
    if unknown:
        raise NewerDatabase(unknown)
    if missing:
        raise OlderDatabase(missing)


def known_migrations(plugins: Iterable[str]) -> Mapping[str, frozenset[str]]:
    """Return the migrations of this version and of the plugins. Django's label of a plugin is the last part of its
    name."""
    return {**KNOWN, **_of_plugins(tuple(plugins))}


@lru_cache(maxsize=8)
def _of_plugins(plugins: tuple[str, ...]) -> Mapping[str, frozenset[str]]:
    found = {name.rpartition(".")[2]: frozenset(_names(name)) for name in plugins}
    return {app: names for app, names in found.items() if names}


def _find_known() -> Mapping[str, frozenset[str]]:
    return {app: frozenset(_names(package)) for app, package in _PACKAGES.items()}


def _names(package: str) -> Iterable[str]:
    """Return the names of a package's migrations. Only the folders of its parents are read; it is not imported."""
    first, *rest = package.split(".")
    spec = find_spec(first)
    if spec is None or spec.origin is None:
        return ()
    folder = Path(spec.origin).parent.joinpath(*rest, "migrations")
    return (file.stem for file in folder.glob("[0-9]*.py"))


def _number(name: str) -> int:
    return max((int(number) for number in _NUMBERS.findall(name)), default=0)


KNOWN: Final = _find_known()
"""Names of this version's migrations, by app. Read at the start, because a running process keeps its version even if
another one is installed meanwhile."""
