"""Store the content that each site showed last in the database, so that a machine without builds can show it again."""

import logging
from collections.abc import Collection, Mapping
from contextlib import closing
from typing import Any, Final, NamedTuple
from urllib.parse import unquote, urlsplit

import orjson

from .database_errors import find_trouble
from .reader import Blocked, ReleaseReader
from .release_view import pack_blocked, unpack_blocked

_WAIT_S: Final = 5
"""Seconds to wait for the lock of an SQLite database. The content is already live, so the publisher should not wait
long."""
_UPSERT: Final = (
    "INSERT INTO releases_lastlive (site, shows) VALUES (%s, %s) "
    "ON CONFLICT (site) DO UPDATE SET shows = excluded.shows"
)
_DELETE: Final = "DELETE FROM releases_lastlive WHERE site NOT IN ({})"

_log = logging.getLogger(__name__)


class LastLive(NamedTuple):
    """Last content of one site, and its pin."""

    release: int
    blocked: Blocked = {}
    """Items that the site showed in the state of an earlier release."""
    since: str = ""
    """Time when the site was pinned (ISO); empty if it followed the newest release."""
    by: str = ""
    is_whole: bool = False
    """True if the whole installation was pinned."""


def read_last_live(reader: ReleaseReader) -> dict[str, LastLive]:
    """Return the record by site. Leave out rows that name a release missing in the database."""
    found = {}
    for site, shows in reader.last_live():
        try:
            row = orjson.loads(shows)
            found[site] = LastLive(
                int(row["release"]), unpack_blocked(row["held"]), row["since"], row["by"], bool(row["is_whole"])
            )
        except (ValueError, KeyError, TypeError):
            continue  # a newer version wrote this row
    there = {release for release in {each.release for each in found.values()} if reader.exists(release)}
    return {site: each for site, each in found.items() if each.release in there}


def _pack(shown: LastLive) -> dict[str, Any]:
    """Return it under the names that the previous version reads."""
    return {
        "release": shown.release,
        "held": pack_blocked(shown.blocked),
        "since": shown.since,
        "by": shown.by,
        "is_whole": shown.is_whole,
    }


class LiveRecord:
    """Writes the record in plain SQL, because the publisher runs without Django."""

    def __init__(self, database_url: str) -> None:
        self._url = database_url

    def write(self, shown: Mapping[str, LastLive], sites: Collection[str]) -> None:
        """Replace the rows of these sites, and delete rows of sites that are not in ``sites``. If writing fails, log
        the error; the next publish tries again."""
        statements: list[tuple[str, tuple[Any, ...]]] = [
            (_UPSERT, (site, orjson.dumps(_pack(each)).decode())) for site, each in shown.items()
        ]
        statements.append((_DELETE.format(", ".join(["%s"] * len(sites))), tuple(sites)))
        try:
            self._run(statements)
        except Exception as error:  # of either driver
            if (trouble := find_trouble(error)) is None:
                raise
            _log.warning(
                "The database could not store which release is live: %s The sites are not affected. Until the next publish, "
                "a machine without builds would show the previously stored release.",
                trouble,
            )

    def _run(self, statements: Collection[tuple[str, tuple[Any, ...]]]) -> None:
        if urlsplit(self._url).scheme == "sqlite":
            import sqlite3

            file = unquote(urlsplit(self._url).path[1:])
            with closing(sqlite3.connect(file, timeout=_WAIT_S)) as sqlite, sqlite:
                for sql, values in statements:
                    sqlite.execute(sql.replace("%s", "?"), values)
            return
        import psycopg

        from .postgres_limits import LIMITS

        with psycopg.connect(self._url, **LIMITS) as postgres:
            for sql, values in statements:
                postgres.execute(sql.encode(), values)
