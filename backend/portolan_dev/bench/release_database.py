"""Releases written without Django: generated content, and new editions of one page."""

import json
import sqlite3
from collections.abc import Iterable
from hashlib import sha256
from pathlib import Path
from typing import Any

from portolan.releases.formats import current_format
from portolan.releases.ids import ItemId
from portolan.releases.index import write_index

from .content import Item


class ReleaseDatabase:
    """Releases in an SQLite database that has been migrated."""

    def __init__(self, file: Path, site: str) -> None:
        self._site = site
        self._connection = sqlite3.connect(file, isolation_level=None)
        self._connection.executescript("PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL;")

    def release(self, items: Iterable[Item]) -> int:
        """A new release in which these items are new or have changed."""
        run = self._connection.execute
        run("BEGIN IMMEDIATE")
        ((newest,),) = run("SELECT max(number) FROM releases_release").fetchall()
        number = (newest or 0) + 1
        run(
            "INSERT INTO releases_release (number, created_at, created_by, note, added, changed, removed) "
            "VALUES (?, datetime('now'), 'bench', '', 0, 0, 0)",
            (number,),
        )
        bodies = {}
        for item in items:
            site = "" if item.kind in ("picture", "figures") else self._site
            body = freeze(item.body)
            run(
                "UPDATE releases_releaseitem SET until = ? WHERE site = ? AND kind = ? AND key = ? AND until IS NULL",
                (number, site, item.kind, item.key),
            )
            run(
                "INSERT INTO releases_releaseitem (site, kind, key, digest, format, body, since) VALUES (?, ?, ?, ?, ?, ?, ?)",
                (
                    site,
                    item.kind,
                    item.key,
                    sha256(body).hexdigest()[:32],
                    current_format(item.kind),
                    body,
                    number,
                ),
            )
            bodies[ItemId(site, item.kind, item.key)] = item.body
        write_index(lambda sql, values: run(sql.replace("%s", "?"), values), number, bodies)
        run("COMMIT")
        return number


def freeze(body: Any) -> bytes:
    return json.dumps(body, ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode()
