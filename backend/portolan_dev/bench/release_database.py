"""Write releases without Django: generated content, and edits of one page."""

import json
import sqlite3
from collections.abc import Iterable
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

from portolan.releases.formats import current_format
from portolan.releases.ids import ItemId
from portolan.releases.index import chunks, write_index

from .items import Item

_AT_ONCE: Final = 500
"""Items in memory at once."""


class ReleaseDatabase:
    """Releases in a migrated SQLite database."""

    def __init__(self, file: Path) -> None:
        self._connection = sqlite3.connect(file, isolation_level=None)
        self._connection.executescript("PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL;")

    def release(self, items: Iterable[Item]) -> int:
        """Create a release in which these items are new or changed. Return its number."""
        run = self._connection.execute
        run("BEGIN IMMEDIATE")
        ((newest,),) = run("SELECT max(number) FROM releases_release").fetchall()
        number: int = (newest or 0) + 1
        run(
            "INSERT INTO releases_release (number, created_at, created_by, note, added, changed, removed) "
            "VALUES (?, datetime('now'), 'bench', '', 0, 0, 0)",
            (number,),
        )
        for some in chunks(items, _AT_ONCE):
            for item in some:
                self._write(number, item)
            bodies = {ItemId(item.site, item.kind, item.key): item.body for item in some}
            write_index(lambda sql, values: run(sql.replace("%s", "?"), values), number, bodies)
        run("COMMIT")
        return number

    def edit(self, site: str, page: str, title: str) -> int:
        """Create a release in which the page's last block has this title."""
        edited = self._read(site, "page", page)
        edited["blocks"][-1]["title"] = title
        return self.release([Item(site, "page", page, edited)])

    def edit_menu(self, site: str, title: str) -> int:
        """Create a release in which the site's first menu item has this title."""
        edited = self._read(site, "menu", "main")
        edited["items"][0]["title"] = title
        return self.release([Item(site, "menu", "main", edited)])

    def _read(self, site: str, kind: str, key: str) -> Any:
        ((body,),) = self._connection.execute(
            "SELECT body FROM releases_releaseitem WHERE site = ? AND kind = ? AND key = ? AND until IS NULL",
            (site, kind, key),
        ).fetchall()
        return json.loads(body)

    def _write(self, number: int, item: Item) -> None:
        body = snapshot(item.body)
        self._connection.execute(
            "UPDATE releases_releaseitem SET until = ? WHERE site = ? AND kind = ? AND key = ? AND until IS NULL",
            (number, item.site, item.kind, item.key),
        )
        digest = sha256(body).hexdigest()[:32]
        self._connection.execute(
            "INSERT INTO releases_releaseitem (site, kind, key, digest, format, body, since) VALUES (?, ?, ?, ?, ?, ?, ?)",
            (item.site, item.kind, item.key, digest, current_format(item.kind), body, number),
        )


def snapshot(body: Any) -> bytes:
    return json.dumps(body, ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode()
