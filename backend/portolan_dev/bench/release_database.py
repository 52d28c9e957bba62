"""A release database without Django: generated content, and new editions of one page."""

import json
import sqlite3
from collections.abc import Iterable
from hashlib import sha256
from pathlib import Path
from typing import Any

from portolan.releases.database_version import KNOWN
from portolan.releases.formats import current_format
from portolan.releases.ids import ItemId
from portolan.releases.index import write_index

from .content import Item

INDEX_TABLES = """
CREATE TABLE releases_releaseroute (
    id INTEGER PRIMARY KEY, site TEXT, key TEXT, path TEXT, template TEXT, title TEXT, parent TEXT, changed TEXT,
    switcher_hidden INTEGER, since INTEGER, until INTEGER
);
CREATE UNIQUE INDEX one_route_per_release ON releases_releaseroute (site, key, since);
CREATE INDEX route_by_path ON releases_releaseroute (path);
CREATE INDEX route_by_key ON releases_releaseroute (key);
CREATE INDEX route_by_until ON releases_releaseroute (until);
CREATE TABLE releases_releasereference (
    id INTEGER PRIMARY KEY, site TEXT, kind TEXT, key TEXT, target_kind TEXT, target_key TEXT, since INTEGER,
    until INTEGER
);
CREATE UNIQUE INDEX one_reference_per_release
    ON releases_releasereference (target_kind, target_key, site, kind, key, since);
CREATE INDEX reference_by_item ON releases_releasereference (site, kind, key);
"""
"""The tables of ``portolan.releases.index``, as SQLite has them."""

_TABLES = """
CREATE TABLE releases_release (
    number INTEGER PRIMARY KEY, created_at TEXT, created_by TEXT, note TEXT, added INTEGER, changed INTEGER, removed INTEGER
);
CREATE TABLE releases_releaseitem (
    id INTEGER PRIMARY KEY, site TEXT, kind TEXT, key TEXT, digest TEXT, body BLOB, since INTEGER, until INTEGER,
    format INTEGER DEFAULT 1
);
CREATE UNIQUE INDEX one_item_per_release ON releases_releaseitem (site, kind, key, since);
CREATE UNIQUE INDEX one_item_is_current ON releases_releaseitem (site, kind, key) WHERE until IS NULL;
CREATE INDEX by_since ON releases_releaseitem (since);
CREATE INDEX by_until ON releases_releaseitem (until);
CREATE TABLE releases_pendingchange (
    id INTEGER PRIMARY KEY, site TEXT, kind TEXT, key TEXT, noted_at TEXT, problem TEXT
);
CREATE TABLE django_migrations (app TEXT, name TEXT);
CREATE TABLE releases_liverequest (id INTEGER PRIMARY KEY, release INTEGER, "by" TEXT, done_at TEXT);
CREATE TABLE releases_moment (at TEXT);
CREATE TABLE wagtailcore_revision (approved_go_live_at TEXT);
CREATE TABLE wagtailcore_page (live INTEGER, expire_at TEXT);
"""


class ReleaseDatabase:
    def __init__(self, file: Path, site: str) -> None:
        self._site = site
        self._number = 0
        self._connection = sqlite3.connect(file, isolation_level=None)
        self._connection.executescript(f"PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL; {_TABLES}{INDEX_TABLES}")
        applied = [(app, name) for app, names in KNOWN.items() for name in names]
        self._connection.executemany("INSERT INTO django_migrations VALUES (?, ?)", applied)

    def release(self, items: Iterable[Item]) -> int:
        """A new release in which these items are new or have changed."""
        self._number += 1
        run = self._connection.execute
        run("BEGIN IMMEDIATE")
        run("INSERT INTO releases_release VALUES (?, datetime('now'), 'bench', '', 0, 0, 0)", (self._number,))
        bodies = {}
        for item in items:
            site = "" if item.kind in ("picture", "figures") else self._site
            body = freeze(item.body)
            run(
                "UPDATE releases_releaseitem SET until = ? WHERE site = ? AND kind = ? AND key = ? AND until IS NULL",
                (self._number, site, item.kind, item.key),
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
                    self._number,
                ),
            )
            bodies[ItemId(site, item.kind, item.key)] = item.body
        write_index(lambda sql, values: run(sql.replace("%s", "?"), values), self._number, bodies)
        run("COMMIT")
        return self._number


def freeze(body: Any) -> bytes:
    return json.dumps(body, ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode()
