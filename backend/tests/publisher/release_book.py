"""Releases written with plain SQL: content for tests that need no Django."""

import copy
import json
import sqlite3
import time
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from typing import Any

from portolan.releases.database_version import KNOWN
from portolan.releases.formats import current_format
from portolan.releases.ids import ItemId
from portolan.releases.index import write_index

Key = tuple[str, str, str]
"""Site, kind, key."""

_TABLES = """
CREATE TABLE releases_release (
    number INTEGER PRIMARY KEY, created_at TEXT, created_by TEXT, note TEXT, added INTEGER, changed INTEGER,
    removed INTEGER
);
CREATE TABLE releases_releaseitem (
    id INTEGER PRIMARY KEY, site TEXT, kind TEXT, key TEXT, digest TEXT, body BLOB, since INTEGER, until INTEGER,
    format INTEGER DEFAULT 1
);
CREATE INDEX item_by_key ON releases_releaseitem (site, kind, key);
CREATE TABLE releases_pendingchange (id INTEGER PRIMARY KEY, site TEXT, kind TEXT, key TEXT, noted_at TEXT, problem TEXT);
CREATE TABLE releases_verification (release INTEGER, site TEXT, verdict TEXT, path TEXT, why TEXT);
CREATE TABLE releases_liverequest (id INTEGER PRIMARY KEY, release INTEGER, "by" TEXT, done_at TEXT);
CREATE TABLE releases_lastlive (site TEXT PRIMARY KEY, shows TEXT);
CREATE TABLE django_migrations (app TEXT, name TEXT);
CREATE TABLE releases_moment (at TEXT);
CREATE TABLE content_changeset (go_live_at TEXT, state TEXT);
CREATE TABLE wagtailcore_revision (approved_go_live_at TEXT);
CREATE TABLE wagtailcore_page (live INTEGER, expire_at TEXT);
"""

_INDEX_TABLES = """
CREATE TABLE releases_releaseroute (
    id INTEGER PRIMARY KEY, site TEXT, key TEXT, path TEXT, template TEXT, title TEXT, parent TEXT, changed TEXT,
    switcher_hidden INTEGER, fallback TEXT, since INTEGER, until INTEGER
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


class ReleaseBook:
    """A release database. ``content`` is changed freely, then frozen with ``release``."""

    def __init__(self, file: Path) -> None:
        self.file = file
        self.content: dict[Key, Any] = {}
        self._current: dict[Key, str] = {}
        self.number = 0
        self._connection = sqlite3.connect(file, isolation_level=None)
        self._connection.executescript(f"PRAGMA journal_mode=WAL;PRAGMA synchronous=OFF;{_TABLES}{_INDEX_TABLES}")
        applied = [(app, name) for app, names in KNOWN.items() for name in names]
        self._connection.executemany("INSERT INTO django_migrations VALUES (?, ?)", applied)

    @property
    def url(self) -> str:
        return f"sqlite:///{self.file}"

    def execute(self, sql: str) -> None:
        self._connection.execute(sql)

    def close(self) -> None:
        self._connection.close()

    def release(self, by: str = "", note: str = "") -> int:
        """Freeze ``content`` as the next release."""
        self.number += 1
        run = self._connection.execute
        run("BEGIN")
        moment = datetime.fromtimestamp(time.time_ns() // 1000 / 1e6, UTC).isoformat()
        run("INSERT INTO releases_release VALUES (?, ?, ?, ?, 0, 0, 0)", (self.number, moment, by, note))
        bodies = {
            key: json.dumps(body, ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode()
            for key, body in self.content.items()
        }
        digests = {key: sha256(body).hexdigest()[:32] for key, body in bodies.items()}
        for key, digest in self._current.items():
            if digests.get(key) != digest:
                run(
                    "UPDATE releases_releaseitem SET until = ? "
                    "WHERE site = ? AND kind = ? AND key = ? AND until IS NULL",
                    (self.number, *key),
                )
        for key, digest in digests.items():
            if self._current.get(key) != digest:
                run(
                    "INSERT INTO releases_releaseitem (site, kind, key, digest, format, body, since) VALUES (?, ?, ?, ?, ?, ?, ?)",
                    (*key, digest, current_format(key[1]), bodies[key], self.number),
                )
        changed = {
            ItemId(*key): self.content.get(key)
            for key in {*digests, *self._current}
            if self._current.get(key) != digests.get(key)
        }
        write_index(lambda sql, values: run(sql.replace("%s", "?"), values), self.number, changed)
        run("COMMIT")
        self._current = digests
        return self.number

    def restore(self, number: int, content: dict[Key, Any]) -> None:
        """Restore the database as of release ``number``, and drop later releases."""
        run = self._connection.execute
        run("BEGIN")
        run("DELETE FROM releases_release WHERE number > ?", (number,))
        run("DELETE FROM releases_releaseitem WHERE since > ?", (number,))
        run("UPDATE releases_releaseitem SET until = NULL WHERE until > ?", (number,))
        run("COMMIT")
        for table in ("releases_releaseroute", "releases_releasereference"):
            run(f"DELETE FROM {table} WHERE since > ?", (number,))
            run(f"UPDATE {table} SET until = NULL WHERE until > ?", (number,))
        rows = run("SELECT site, kind, key, digest FROM releases_releaseitem WHERE until IS NULL")
        self._current = {(site, kind, key): digest for site, kind, key, digest in rows}
        self.number, self.content = number, content


def page(path: str, title: str = "", parent: str | None = None, blocks: list[Any] | None = None, **more: Any) -> Any:
    """Return the body of a page item with its own hero."""
    title = title or f"Page {path}"
    body = {
        "path": path,
        "template": "home" if path == "/" else "error" if path.endswith(".html") else "service",
        "title": title,
        "head": {"title": f"{title} at {{company}}", "description": f"What {title} is about."},
        "blocks": [hero(title), *(blocks or [])],
        "parent": parent,
        "changed": "2026-11-01T10:00:00+00:00",
        "anchors": [],
        "switcher_hidden": False,
    }
    return body | more


def show_fallbacks(book: ReleaseBook, site: str, is_shown: bool = True) -> None:
    """Let a site show the default site's pages that it lacks, or stop it, as an export does."""
    content = book.content
    for id in [id for id, body in content.items() if id[:2] == (site, "page") and "fallback" in body]:
        del content[id]
    taken = {body["path"] for id, body in content.items() if id[:2] == (site, "page")}
    for id, body in list(content.items()):
        is_eligible = (
            body["path"] not in taken and body["template"] not in ("home", "error") if id[1] == "page" else False
        )
        if is_shown and is_eligible and id[0] == "en" and (site, "page", id[2]) not in content:
            content[site, "page", id[2]] = {**copy.deepcopy(body), "fallback": "en"}


def hero(title: str, actions: list[Any] | None = None, picture: Any = None) -> Any:
    return {
        "type": "hero",
        "id": "hero",
        "tone": "navy",
        "anchor": None,
        "eyebrow": "",
        "title": title,
        "text": "",
        "actions": actions or [],
        "picture": picture,
        "phones": [],
        "film": None,
    }


def rich_text(html: str, anchor: str | None = None) -> Any:
    return {"type": "rich_text", "id": "text", "tone": "paper", "anchor": anchor, "html": {"$html": html}}


def offices_block() -> Any:
    return {
        "type": "offices",
        "id": "offices",
        "tone": "paper",
        "anchor": "offices",
        "title": "Our offices",
        "text": "",
        "offices": {"$items": "office"},
    }


def link(key: str, title: str = "Read more", anchor: str | None = None) -> Any:
    return {"$page": key, "title": title, "anchor": anchor}


def picture(name: str) -> Any:
    return {
        "url": f"/media/{name}.svg",
        "width": 800,
        "height": 600,
        "mobile": None,
        "tablet": None,
        "desktop": None,
        "vector": f"/media/{name}.svg",
        "focus": None,
    }


def office(city: str, phone: str, order: int, sets: list[str]) -> Any:
    return {
        "order": order,
        "value": {
            "id": city.lower(),
            "city": city,
            "address": f"1 Quay Road, {city}",
            "phone": phone,
            "category": {"name": "Development", "icon": "code"},
            "country": "gb",
            "lat": 51.5,
            "lng": 0.1,
            "sets": sets,
            "opened": None,
            "hours": "",
        },
    }


def add_article(book: ReleaseBook, site: str, number: int) -> None:
    """An article of that day in March, below the page ``insights``, and its card."""
    key, title = f"article-{number}", f"Article {number}"
    body = page(f"/company/insights/{key}", title, parent="insights", template="article")
    book.content[site, "page", key] = body
    book.content[site, "news", key] = {
        "order": -number,
        "value": {
            "id": key,
            "title": title,
            "summary": f"What {title} is about.",
            "previewImage": {"$picture": "1", "alt": ""},
            "date": f"2026-03-{number:02}",
            "link": {"$page": key, "title": title},
        },
    }


def project(key: str) -> Any:
    """The card of a case study."""
    return {
        "order": 1,
        "value": {
            "id": key,
            "slug": key,
            "title": key.capitalize(),
            "summary": "One record.",
            "client": "{company}'s own client",
            "country": "gb",
            "cover": {"$picture": "1", "alt": ""},
            "link": {"$page": key, "title": key.capitalize()},
            "industries": [{"facet": "industry", "slug": "healthcare", "name": "Healthcare"}],
            "services": [],
            "technologies": [],
            "results": [],
            "lat": None,
            "lng": None,
            "gallery": [],
            "rank": None,
        },
    }


FIGURES = {
    "age": "19",
    "employees": "3500+",
    "projects": "1000+",
    "offices": "16",
    "company": "Brightmoor",
    "year": "2026",
}


def small_site(book: ReleaseBook, site: str, has_contact: bool = True) -> None:
    """Home, about (with offices), two services, contact, error pages, menu and footer of one site."""
    put = book.content.__setitem__
    put(("", "figures", "company"), dict(FIGURES))
    put(("", "picture", "1"), picture("harbour"))
    put((site, "page", "home"), page("/", f"Home {site}", blocks=[rich_text("<p>{employees} people</p>")]))
    put((site, "page", "about"), page("/about-us", f"About {site}", parent="home", blocks=[offices_block()]))
    web = page("/services/web-development", f"Web {site}", parent="home")
    web["blocks"][0]["actions"] = [link("contact")]
    web["blocks"][0]["picture"] = {"$picture": "1", "alt": "A harbour"}
    put((site, "page", "web"), web)
    mobile = page("/services/mobile-development", f"Mobile {site}", parent="web")
    mobile["blocks"].append(rich_text('<p><a data-page="about" data-anchor="offices">Offices</a></p>'))
    put((site, "page", "mobile"), mobile)
    if has_contact:
        put((site, "page", "contact"), page("/contact-us", f"Contact {site}", parent="home"))
    put((site, "page", "404"), page("/404.html", "Not found"))
    put((site, "page", "500"), page("/500.html", "Something broke"))
    put((site, "office", "london"), office("London", "+44 20 7946 0100", 1, ["default", "uk"]))
    put((site, "office", "berlin"), office("Berlin", "+49 30 5550 0100", 2, ["de"]))
    put(
        (site, "menu", "main"),
        {
            "items": [
                {
                    "key": "services",
                    "title": "Services",
                    "to": None,
                    "submenu": [
                        {
                            "title": "Web",
                            "description": "",
                            "url": link("web"),
                            "img": None,
                            "linkList": [],
                            "contentType": None,
                            "videos": [],
                        }
                    ],
                    "parentLink": None,
                    "options": {"theme": "text-links"},
                }
            ],
            "contact": link("contact", "Contact us"),
        },
    )
    put(
        (site, "footer", "main"),
        {
            "groups": [
                {
                    "key": "company",
                    "title": "Company",
                    "links": [{"link": link("about"), "region": None, "target": None}],
                },
            ],
            "legal_links": [],
            "offices_link": link("about", "See more", "offices"),
        },
    )
