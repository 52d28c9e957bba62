"""Find the work of an upgrade: differences between the installation and this version. Changes nothing."""

import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import Final, NamedTuple
from urllib.parse import unquote, urlsplit

from ..builds.live import NOTHING_LIVE, read_live
from ..builds.manifest import BuildError
from ..config.env import Env
from ..config.start_django import start_django
from ..publisher.addresses import Addresses
from ..publisher.build_inputs import read_inputs, rules_digest
from ..publisher.web_build import WebBuild
from ..releases.database_version import Migration, NewerDatabase, compare, known_migrations
from ..releases.formats import NewerFormat, current_format
from ..releases.reader import ReleaseReader, open_reader

_WITH_FORMATS: Final = Migration("releases", "0003_items_have_a_format")


class Work(NamedTuple):
    """Empty if the installation is of this version."""

    migrations: list[Migration]
    """Missing in the database."""
    is_new: bool
    """Whether the database is missing or empty."""
    has_index: bool
    """Whether the index of releases exists; it is created after the migrations."""
    old_formats: Mapping[tuple[str, int], int]
    """Current items in old formats, by kind and format. They are migrated when read, so nothing is to do."""
    stale: Mapping[str, int] | None
    """Items whose content differs from the newest release, by kind. None if migrations must run first."""
    pictures: int
    """Number of images with renditions of an older version. 0 if migrations are missing."""
    behind: Sequence[str]
    """Sites that are not pinned and show an older release."""
    rendered: Sequence[str]
    """Sites whose pages are all rendered again, because the web build has changed."""
    compared: Sequence[str]
    """Sites whose changed pages are rendered again, because the code or the site configuration has changed."""

    @property
    def is_nothing(self) -> bool:
        todo = (self.migrations, self.stale, self.pictures, self.behind, self.rendered, self.compared)
        return self.has_index and not any(todo)


def find_work(settings: Env, web: WebBuild) -> Work:
    """Return the work. Raise NewerDatabase or NewerFormat if a newer version has used the database."""
    with closing(_Questions(settings)) as database:
        applied = database.migrations()
        unknown, missing = compare(applied, known_migrations(settings.registry.plugins))
        if unknown:
            raise NewerDatabase(unknown)
        formats = database.reader.formats() if database.reader and _WITH_FORMATS in applied else {}
        for kind, format in formats:
            if format > current_format(kind):
                raise NewerFormat(kind, format)
        newest = database.reader.latest() if database.reader and not missing else None
        has_index = missing != [] or database.reader is None or database.reader.has_index()
        with_pages = {
            site
            for site in settings.registry.sites
            if database.reader and newest is not None and database.reader.digests(newest, site, "page")
        }
    old = {(kind, format): count for (kind, format), count in formats.items() if format < current_format(kind)}
    try:
        live = read_live(settings.builds_dir)
    except BuildError:  # the publish that follows repairs it
        live = NOTHING_LIVE
    rules = rules_digest(Addresses(settings.registry, settings.environment, settings.port))
    follow = [site for site in settings.registry.sites if site not in live.pins]
    made_by = {site: _made_by(settings, site, live.builds[site]) for site in follow if site in live.builds}
    return Work(
        missing,
        not applied,
        has_index,
        old,
        None if missing else _count_stale(newest),
        0 if missing else _count_outdated_pictures(),
        [site for site in follow if site in with_pages and live.releases.get(site, 0) < (newest or 0)],
        [site for site in made_by if made_by[site][0] != web.hash],
        [site for site in made_by if made_by[site][0] == web.hash and made_by[site][1] != rules],
    )


def _made_by(settings: Env, site: str, build: str) -> tuple[str, str]:
    """Return the web build and rules of a build; empty if unknown."""
    inputs = read_inputs(settings.builds_dir, site, build)
    return (inputs.web, inputs.rules) if inputs else ("", "")


def describe(work: Work, settings: Env) -> Iterator[str]:
    """Yield a line for each step of the upgrade."""
    count = len(work.migrations)
    if work.is_new:
        yield f"Create the database with {count} migrations."
    elif count:
        yield f"Apply {count} migration{'' if count == 1 else 's'}: {_list(work.migrations)}."
        copy = sqlite_file(settings)
        yield f"Before that: {f'copy {copy}' if copy else 'YOU dump the PostgreSQL database'}."
    if not work.has_index:
        yield "Create the index of releases."
    if work.old_formats:
        items = ", ".join(
            f"{n} {kind} ({format}, today's is {current_format(kind)})"
            for (kind, format), n in work.old_formats.items()
        )
        yield f"Nothing to do for items in old formats, which are migrated when read: {items}."
    if work.stale is None and not work.is_new:
        yield "Create a release of changed items. Their number is known after the migrations."
    elif work.stale:
        kinds = ", ".join(f"{count} {kind}" for kind, count in sorted(work.stale.items()))
        yield f"Create a release of items that differ from the newest release: {kinds}."
    if work.pictures:
        yield f"Check {work.pictures} images, and render outdated ones again."
    if work.behind:
        yield f"Put the newest release live on {', '.join(work.behind)}."
    if work.rendered:
        yield f"Render all pages of {', '.join(work.rendered)}, because the web build has changed."
    if work.compared:
        yield f"Render changed pages of {', '.join(work.compared)}, because the code or the site configuration has changed."


def sqlite_file(settings: Env) -> Path | None:
    """Return the database file, or None for PostgreSQL."""
    url = urlsplit(settings.database)
    return Path(unquote(url.path[1:])) if url.scheme == "sqlite" else None


def _list(migrations: Sequence[Migration], shown: int = 6) -> str:
    more = f" and {len(migrations) - shown} more" if len(migrations) > shown else ""
    return ", ".join(map(str, migrations[:shown])) + more


def _count_stale(newest: int | None) -> Mapping[str, int]:
    if newest is None:
        return {}
    start_django()
    from ..releases.create import count_stale

    return count_stale()


def _count_outdated_pictures() -> int:
    start_django()
    from ..content.pictures import find_outdated

    return find_outdated().count()


class _Questions:
    """Reads from a database that may not exist."""

    def __init__(self, settings: Env) -> None:
        file = sqlite_file(settings)
        self.reader: ReleaseReader | None = None if file and not file.exists() else open_reader(settings.database)

    def migrations(self) -> list[Migration]:
        """Return the applied migrations; empty if the database has none."""
        if self.reader is None:
            return []
        try:
            return self.reader.migrations()
        except Exception as error:
            if _is_no_table(error):
                return []
            raise

    def close(self) -> None:
        if self.reader:
            self.reader.close()


def _is_no_table(error: Exception) -> bool:
    if isinstance(error, sqlite3.OperationalError):
        return str(error).startswith("no such table")
    return getattr(error, "sqlstate", "") == "42P01"
