"""Editors change and break content on any sites. Live sites never have a broken link, and pages free of problems are
the newest. Once all is fixed, the files equal those of a full build.

``make soak`` draws five hundred sequences of edits.
"""

import re
import tempfile
from collections.abc import Iterator
from copy import deepcopy
from html import escape, unescape
from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from portolan.builds.live import LivePointer, read_live
from portolan.builds.manifest import Manifest, read_manifest
from portolan.builds.store import ContentStore
from portolan.domain.redirects import GONE, RedirectTable
from portolan.publisher.addresses import Addresses
from portolan.publisher.publish import Publisher, Summary
from portolan.publisher.web_build import WebBuild
from portolan.releases.reader import ItemId, open_reader
from portolan.sites.registry import Registry
from testing.memory import folder_in_memory

from .fake_renderer import FakeRenderer
from .release_book import ReleaseBook, hero, link, rich_text, small_site
from .test_plan import EXAMPLES, KEYS, PATHS, SITES, Editor

EDITS = ("text", "title", "publish", "unpublish", "move", "link", "change_menu", "change_office", "change_figures")
LINK = re.compile(r'<(a|link)[^>]* href="([^"]*)"')
ALTERNATE = re.compile(r'<link rel="alternate" hreflang="([^"]*)" href="([^"]*)"')


class Breaker(Editor):
    """Makes mistakes, and leaves them."""

    def lose_picture(self, site: str, key: str, other: str, path: str) -> None:
        if body := self.page(site, key):
            body["blocks"][0] |= {"picture": {"$picture": "9", "alt": ""}, "title": f"Broken {self.count}"}

    def delete_picture(self, site: str, key: str, other: str, path: str) -> None:
        self.book.content.pop(("", "picture", "1"), None)

    def link_to_no_anchor(self, site: str, key: str, other: str, path: str) -> None:
        if body := self.page(site, key):
            body["blocks"].append(rich_text(f'<p><a data-page="{other}" data-anchor="nowhere">x</a></p>'))

    def link_to_no_page(self, site: str, key: str, other: str, path: str) -> None:
        if body := self.page(site, key):
            body["blocks"].append(rich_text('<p><a href="/never-was">x</a></p>'))

    def lose_anchor(self, site: str, key: str, other: str, path: str) -> None:
        if body := self.page(site, "about"):
            body["blocks"] = body["blocks"][:1]

    def add_heading(self, site: str, key: str, other: str, path: str) -> None:
        if body := self.page(site, key):
            body["blocks"].append(hero("Another"))

    def point_menu_nowhere(self, site: str, key: str, other: str, path: str) -> None:
        self.book.content[site, "menu", "main"]["contact"] = link(other, "Contact", "nowhere")

    def lose_menu(self, site: str, key: str, other: str, path: str) -> None:
        self.book.content.pop((site, "menu", "main"), None)

    def change_menu(self, site: str, key: str, other: str, path: str) -> None:
        if (site, "menu", "main") in self.book.content:
            super().change_menu(site, key, other, path)

    def break_office(self, site: str, key: str, other: str, path: str) -> None:
        self.book.content[site, "office", "london"]["value"]["hours"] = "{never}"


MISTAKES = (
    "lose_picture", "delete_picture", "link_to_no_anchor", "link_to_no_page", "lose_anchor", "add_heading",
    "point_menu_nowhere", "lose_menu", "break_office",
)  # fmt: skip
EDIT = st.tuples(
    st.sampled_from((*EDITS, *MISTAKES)),
    st.sampled_from(SITES),
    st.sampled_from(KEYS),
    st.sampled_from(KEYS),
    st.sampled_from(PATHS),
)


class Sites:
    """All sites as visitors see them."""

    def __init__(self, builds: Path, addresses: Addresses, media: Path) -> None:
        self.pointer: LivePointer = read_live(builds)
        self.manifests: dict[str, Manifest] = {
            site: read_manifest(builds, site, build) for site, build in self.pointer.builds.items()
        }
        self._store = ContentStore(builds)
        self._addresses = addresses
        self._media = media

    def html(self, site: str, path: str) -> str:
        return (self._store.read(self.manifests[site].files[path].digest) or b"").decode()

    def pages(self) -> Iterator[tuple[str, str, str]]:
        for site, manifest in self.manifests.items():
            for path, file in manifest.files.items():
                if file.content_type.startswith("text/html"):
                    yield site, path, self.html(site, path)

    def broken(self) -> list[tuple[str, str, str]]:
        return [
            (site, path, url)
            for site, path, html in self.pages()
            for _, url in LINK.findall(html)
            if not self._leads_somewhere(site, path, unescape(url))
        ]

    def not_returned(self) -> list[tuple[str, str, str]]:
        """Return the translations that are missing or lack a link back to the page."""
        named = {(site, path): set(ALTERNATE.findall(html)) for site, path, html in self.pages()}
        wrong = []
        for (site, path), alternates in named.items():
            for _, href in alternates:
                target = self._addresses.target(site, unescape(href))
                if target is None or named.get((target.site, target.path)) != alternates:
                    wrong.append((site, path, href))
        return wrong

    def _leads_somewhere(self, site: str, path: str, url: str) -> bool:
        target = self._addresses.target(site, url) if not url.startswith("#") else None
        if url.startswith("#") or target is None:
            return True
        if target.path.startswith("/media/"):
            return (self._media / target.path.removeprefix("/media/")).exists()
        manifest = self.manifests.get(target.site)
        if manifest is None:
            return False
        if target.path in manifest.files:
            return not target.anchor or f' id="{target.anchor}"' in self.html(target.site, target.path)
        redirect = RedirectTable(manifest.redirects).find(target.path, manifest.files.__contains__)
        return redirect is not None and redirect.status != GONE


def not_newest(book: ReleaseBook, sites: Sites, summary: Summary) -> list[ItemId]:
    """Return the pages that should be the newest but are older."""
    waiting = {ItemId(*change[:3]) for change in summary.blocked}
    wrong = []
    for (site, kind, key), body in book.content.items():
        id = ItemId(site, kind, key)
        if kind != "page" or id in waiting:
            continue
        path, heading = body["path"], f"<h1>{escape(body['blocks'][0]['title'])}</h1>"
        if path not in sites.manifests[site].files or heading not in sites.html(site, path):
            wrong.append(id)
    return wrong


@given(rounds=st.lists(st.lists(EDIT, min_size=1, max_size=4), min_size=1, max_size=3))
@settings(
    max_examples=EXAMPLES,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
    derandomize=True,
)
def test_what_is_live_is_whole_and_as_new_as_it_can_be(
    registry: Registry, web: WebBuild, media: Path, rounds: list[list[Any]]
) -> None:
    with tempfile.TemporaryDirectory(dir=folder_in_memory()) as folder:
        run(Path(folder), Addresses(registry, "local", 8000), web, media, rounds)


def run(folder: Path, addresses: Addresses, web: WebBuild, media: Path, rounds: list[list[Any]]) -> None:
    book = ReleaseBook(folder / "releases.sqlite3")
    small_site(book, "en")
    small_site(book, "de")
    small_site(book, "ae", has_contact=False)
    good = deepcopy(book.content)
    reader = open_reader(book.url)

    def publisher(builds: str) -> Publisher:
        return Publisher(addresses, reader, web, folder / builds, media, FakeRenderer())

    try:
        book.release()
        publisher("builds").publish()
        editor = Breaker(book)
        for edits in rounds:
            for edit in edits:
                editor.edit(*edit)
            book.release()
            summary = publisher("builds").publish(keep_going=True)
            sites = Sites(folder / "builds", addresses, media)
            assert sites.broken() == []
            assert sites.not_returned() == []
            assert summary.problems == []
            assert set(sites.pointer.releases.values()) == {book.number}
            assert not_newest(book, sites, summary) == []
        book.content = good
        book.release()
        assert publisher("builds").publish(keep_going=True).blocked == []
        publisher("full").publish()
        fixed, full = (Sites(folder / name, addresses, media) for name in ("builds", "full"))
        assert {site: manifest.files for site, manifest in fixed.manifests.items()} == {
            site: manifest.files for site, manifest in full.manifests.items()
        }
    finally:
        reader.close()
        book.close()
