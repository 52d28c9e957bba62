"""What an upgrade has to do: what of the database and of the builds is not of this version. Changes nothing."""

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
    """Empty where the installation is of this version."""

    migrations: list[Migration]
    """That the database lacks."""
    is_new: bool
    """There is no database yet, or an empty one."""
    has_index: bool
    """Of releases; it is written after the migrations."""
    old_formats: Mapping[tuple[str, int], int]
    """Current items of old formats, by kind and format. They are raised when they are read, and need nothing."""
    stale: Mapping[str, int] | None
    """By kind, items that the studio has otherwise than the newest release; None where that can be known only when the
    migrations have been applied."""
    pictures: int
    """Pictures whose files were made in another way than this version makes them. 0 if migrations are missing."""
    behind: Sequence[str]
    """Sites that show an older release than the newest, and are not pinned."""
    rendered: Sequence[str]
    """Sites whose pages are all rendered anew, because the web build is another."""
    compared: Sequence[str]
    """Sites of which each page is looked at, and rendered anew where it differs, because our code or the registry are
    others."""

    @property
    def is_nothing(self) -> bool:
        todo = (self.migrations, self.stale, self.pictures, self.behind, self.rendered, self.compared)
        return self.has_index and not any(todo)


def find_work(settings: Env, web: WebBuild) -> Work:
    """Raises NewerDatabase or NewerFormat where a newer version has been at work."""
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
    """Web build and rules of a build; empty where they are not known."""
    inputs = read_inputs(settings.builds_dir, site, build)
    return (inputs.web, inputs.rules) if inputs else ("", "")


def describe(work: Work, settings: Env) -> Iterator[str]:
    """What an upgrade would do, a line each."""
    count = len(work.migrations)
    if work.is_new:
        yield f"Database: there is none yet; it is made, by {count} migrations."
    elif count:
        yield f"Database: {count} migration{'' if count == 1 else 's'}: {_list(work.migrations)}."
        copy = sqlite_file(settings)
        yield f"Before that: {f'a copy of {copy}' if copy else 'YOUR dump of the PostgreSQL database'}."
    if not work.has_index:
        yield "Index of releases: is written."
    if work.old_formats:
        items = ", ".join(
            f"{n} {kind} ({format}, today's is {current_format(kind)})"
            for (kind, format), n in work.old_formats.items()
        )
        yield f"Items in old formats, which are raised when they are read and stay as they are: {items}."
    if work.stale is None and not work.is_new:
        yield "Frozen anew: what only the models know of; how much that is shows when the migrations are applied."
    elif work.stale:
        kinds = ", ".join(f"{count} {kind}" for kind, count in sorted(work.stale.items()))
        yield f"Frozen anew, because the studio has them otherwise than the newest release: {kinds}."
    if work.pictures:
        yield f"Pictures to look at, and to make again where this version makes other files: {work.pictures}."
    if work.behind:
        yield f"Put live: the newest release, on {', '.join(work.behind)}."
    if work.rendered:
        yield f"Rendered anew as a whole: {', '.join(work.rendered)} (the web build is another)."
    if work.compared:
        yield f"Rendered anew where a page differs: {', '.join(work.compared)} (the code or the registry are others)."


def sqlite_file(settings: Env) -> Path | None:
    """None where the database is PostgreSQL."""
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
    """A reader of a database that may not be there."""

    def __init__(self, settings: Env) -> None:
        file = sqlite_file(settings)
        self.reader: ReleaseReader | None = None if file and not file.exists() else open_reader(settings.database)

    def migrations(self) -> list[Migration]:
        """None where Django has never been at work there."""
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
