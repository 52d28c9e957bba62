"""After any edit, an incremental build has the same files as a full one (AC-INC). The journal has the reason for
rendering each page.

`make soak` draws five hundred sequences of edits.
"""

import os
import tempfile
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from portolan.builds.live import read_live, switch_live
from portolan.builds.manifest import File, list_builds, read_manifest
from portolan.builds.store import ContentStore
from portolan.content.blocks.news_list import NewsListBlock
from portolan.content.blocks.news_teasers import NewsTeasersBlock
from portolan.publisher import sitemap
from portolan.publisher.addresses import Addresses
from portolan.publisher.build_inputs import KnownPage
from portolan.publisher.journal import find_renderings, read_entries
from portolan.publisher.plan import plan_build
from portolan.publisher.problem import PublishError
from portolan.publisher.publish import Publisher
from portolan.publisher.reasons import Cause
from portolan.publisher.web_build import WebBuild
from portolan.releases.reader import open_reader
from portolan.sites.registry import Registry
from testing.memory import folder_in_memory

from .fake_renderer import FakeRenderer
from .release_book import (
    ReleaseBook,
    add_article,
    link,
    offices_block,
    page,
    picture,
    rich_text,
    show_fallbacks,
    small_site,
)

SITES = ("en", "de", "ae")
KEYS = ("home", "about", "web", "mobile", "contact", "extra-1", "extra-2")
PATHS = ("/", "/about-us", "/services/web-development", "/contact-us", "/extra", "/extra/deep", "/moved")
EXAMPLES = int(os.environ.get("PORTOLAN_EDIT_SEQUENCES", "8"))


class Editor:
    """Editors' edits, each from a few drawn numbers. Broken content is fixed before its release."""

    def __init__(self, book: ReleaseBook) -> None:
        self.book = book
        self.count = 0
        self.falling_back: set[str] = set()

    def edit(self, kind: str, site: str, key: str, other: str, path: str) -> None:
        self.count += 1
        getattr(self, kind)(site, key, other, path)
        for each in SITES[1:]:
            show_fallbacks(self.book, each, each in self.falling_back)

    def page(self, site: str, key: str) -> Any:
        return self.book.content.get((site, "page", key))

    def text(self, site: str, key: str, other: str, path: str) -> None:
        if body := self.page(site, key):
            body["blocks"][0]["title"] = f"Edition {self.count}"
            body["changed"] = f"2026-11-02T10:00:{self.count % 60:02}+00:00"

    def title(self, site: str, key: str, other: str, path: str) -> None:
        if body := self.page(site, key):
            body["title"] = f"Title {self.count}"

    def rename_head(self, site: str, key: str, other: str, path: str) -> None:
        if body := self.page(site, key):
            body["head"]["title"] = f"Head {self.count % 3}"  # equal titles share an image

    def publish(self, site: str, key: str, other: str, path: str) -> None:
        self.book.content[site, "page", key] = page(path, f"New {self.count}", parent=other, blocks=[offices_block()])

    def unpublish(self, site: str, key: str, other: str, path: str) -> None:
        self.book.content.pop((site, "page", key), None)

    def move(self, site: str, key: str, other: str, path: str) -> None:
        if body := self.page(site, key):
            body["path"] = path

    def swap(self, site: str, key: str, other: str, path: str) -> None:
        first, second = self.page(site, key), self.page(site, other)
        if first and second:
            first["path"], second["path"] = second["path"], first["path"]

    def file_under(self, site: str, key: str, other: str, path: str) -> None:
        if body := self.page(site, key):
            body["parent"] = other

    def link(self, site: str, key: str, other: str, path: str) -> None:
        if body := self.page(site, key):
            body["blocks"].append(rich_text(f'<p><a data-page="{other}">There</a> {{age}} years</p>'))

    def change_picture(self, site: str, key: str, other: str, path: str) -> None:
        self.book.content["", "picture", "1"] = picture("harbour") | {"width": 100 + self.count}

    def show_picture(self, site: str, key: str, other: str, path: str) -> None:
        if body := self.page(site, key):
            body["blocks"][0]["picture"] = {"$picture": "1", "alt": f"Picture {self.count}"}

    def change_office(self, site: str, key: str, other: str, path: str) -> None:
        self.book.content[site, "office", "london"]["value"]["phone"] = f"+44 20 7946 0{self.count:03}"

    def change_menu(self, site: str, key: str, other: str, path: str) -> None:
        self.book.content[site, "menu", "main"]["items"][0]["title"] = f"Menu {self.count}"

    def change_word(self, site: str, key: str, other: str, path: str) -> None:
        self.book.content[site, "words", "main"] = {"words": {"close": f"Close {self.count}"}}

    def use_default_words(self, site: str, key: str, other: str, path: str) -> None:
        self.book.content.pop((site, "words", "main"), None)

    def rename_chosen_page(self, site: str, key: str, other: str, path: str) -> None:
        if body := self.page(site, "anchorage"):
            body["title"] = f"Anchorage {self.count}"
            body["head"]["description"] = f"Teaser {self.count}"

    def change_figures(self, site: str, key: str, other: str, path: str) -> None:
        self.book.content["", "figures", "company"] |= {"age": str(self.count), "employees": f"{self.count}+"}

    def age_in_office(self, site: str, key: str, other: str, path: str) -> None:
        # London is not among the offices of the German footer: only the pages that list all offices show it.
        self.book.content["de", "office", "london"]["value"]["address"] = f"{self.count} Quay Road, {{age}} years"

    def publish_article(self, site: str, key: str, other: str, path: str) -> None:
        add_article(self.book, site, 1 + self.count % 12)

    def unpublish_article(self, site: str, key: str, other: str, path: str) -> None:
        articles = sorted(k for s, kind, k in self.book.content if s == site and kind == "news")
        if articles:
            name = articles[self.count % len(articles)]
            del self.book.content[site, "news", name], self.book.content[site, "page", name]

    def change_card(self, site: str, key: str, other: str, path: str) -> None:
        for (s, kind, _), body in self.book.content.items():
            if (s, kind) == (site, "news"):
                body["value"]["date"] = f"2026-04-{1 + self.count % 28:02}"
                return

    def fall_back(self, site: str, key: str, other: str, path: str) -> None:
        self.falling_back ^= {site}
        self.unpublish(site, "contact", other, path)

    def hide_switcher(self, site: str, key: str, other: str, path: str) -> None:
        if body := self.page(site, key):
            body["switcher_hidden"] = not body["switcher_hidden"]


KINDS = [name for name in vars(Editor) if not name.startswith("_") and name not in ("edit", "page")]
EDITS = st.tuples(*(st.sampled_from(values) for values in (KINDS, SITES, KEYS, KEYS, PATHS)))


@settings(
    max_examples=EXAMPLES, deadline=None, derandomize=True, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(st.lists(st.lists(EDITS, min_size=1, max_size=3), min_size=1, max_size=6), st.data())
def test_incremental_build_equals_a_full_one(
    registry: Registry,
    web: WebBuild,
    media: Path,
    monkeypatch: pytest.MonkeyPatch,
    rounds: list[list[tuple[str, ...]]],
    data: st.DataObject,
) -> None:
    monkeypatch.setattr(sitemap, "LIMITS", sitemap.Limits(urls=4, bytes=2_200))
    web = web._replace(drawing="d1")
    with tempfile.TemporaryDirectory(dir=folder_in_memory()) as folder:
        book = ReleaseBook(Path(folder) / "releases.sqlite3")
        for site in SITES:
            small_site(book, site)
            # The menu of every site links to pages that edits keep.
            book.content[site, "page", "anchorage"] = page("/anchorage", "Anchorage", blocks=[offices_block()])
            lists = [NewsListBlock().snapshot({"title": "News"}, "list", {}), _count_of("news")]
            book.content[site, "page", "insights"] = page("/company/insights", "Insights", blocks=lists)
            teasers = NewsTeasersBlock().snapshot({"title": "Newest", "limit": 1}, "teasers", {})
            book.content[site, "page", "anchorage"]["blocks"].append(teasers)
            add_article(book, site, 1)
            add_article(book, site, 2)
            for link_of in (book.content[site, "footer", "main"], book.content[site, "menu", "main"]):
                _point_to(link_of, "anchorage")
            # It shows that page's title, teaser and image. One site lacks the page and shows the default site's.
            book.content[site, "menu", "main"]["items"][0]["submenu"][0]["title"] = ""
            hero = book.content[site, "page", "anchorage"]["blocks"][0]
            hero["picture"] = {"$picture": "1", "alt": ""}
        del book.content[SITES[-1], "page", "anchorage"]
        editor = Editor(book)

        renderer = FakeRenderer()

        def publisher(builds: str) -> Publisher:
            reader = open_reader(book.url)
            renders = renderer if builds == "incremental" else FakeRenderer()
            return Publisher(Addresses(registry, "local", 8000), reader, web, Path(folder) / builds, media, renders)

        warm = publisher("incremental")
        book.release()
        warm.publish()
        _check_journal(Path(folder) / "incremental", renderer)
        for number, edits in enumerate(rounds):
            renderer.rendered.clear()
            for edit in edits:
                editor.edit(*edit)
            book.release()
            kind = data.draw(
                st.sampled_from(("warm", "warm", "cold", "some sites", "after rollback")), label="publisher"
            )
            if kind == "after rollback":
                _roll_back(Path(folder) / "incremental")
            if kind == "some sites":
                with suppress(PublishError):  # where other sites must come along: they do now
                    warm.publish(sites=["de"])
                renderer.rendered.clear()
            try:
                (publisher("incremental") if kind == "cold" else warm).publish()
            except PublishError:  # a broken link: the full build must refuse it as well
                _expect_refusal(publisher(f"full-{number}").publish)
                continue
            _check_journal(Path(folder) / "incremental", renderer)
            publisher(f"full-{number}").publish()
            assert _tree(Path(folder) / "incremental") == _tree(Path(folder) / f"full-{number}")
        book.close()


def _check_journal(builds: Path, renderer: FakeRenderer) -> None:
    """Check that each live page has a last rendering, and each page just rendered has reasons."""
    live = read_live(builds).builds
    for site, build in live.items():
        entries = list(read_entries(builds, site))
        for path, file in read_manifest(builds, site, build).files.items():
            if file.content_type.startswith("text/html"):
                assert next(find_renderings(entries, build, path)).reasons, (site, path)
    for site, path in renderer.rendered:
        reasons = next(read_entries(builds, site)).reasons(path)
        assert reasons, (site, path)
        assert Cause.UNCERTAIN not in {reason.cause for reason in reasons}, (site, path)


def _count_of(kind: str) -> Any:
    return {"type": "stats", "id": "count", "tone": "paper", "anchor": None, "title": "", "total": {"$count": kind}}


def _point_to(value: Any, key: str) -> None:
    if isinstance(value, list):
        for item in value:
            _point_to(item, key)
    elif isinstance(value, dict):
        if "$page" in value:
            value.update(link(key, value["title"], value["anchor"]))
        for item in value.values():
            _point_to(item, key)


def _roll_back(builds: Path) -> None:
    earlier = {site: list_builds(builds, site)[-1].build for site in SITES}
    switch_live(builds, earlier)


def _expect_refusal(publish: Callable[[], object]) -> None:
    try:
        publish()
    except PublishError:
        return
    raise AssertionError("The incremental build refused what the full one takes.")


def _tree(builds: Path) -> dict[tuple[str, str], tuple[File, bytes | None]]:
    """Return the live files, except those kept only for open tabs."""
    store = ContentStore(builds)
    return {
        (site, path): (file, store.read(file.digest))
        for site, build in read_live(builds).builds.items()
        for path, file in read_manifest(builds, site, build).files.items()
    }


def test_plans_by_digest() -> None:
    plan = plan_build(
        known={path: KnownPage("1") for path in ("/same", "/changed", "/gone", "/not-reached", "/broken")},
        reached={"/same": "1", "/changed": "2", "/new": "1", "/broken": None},
        gone=["/gone", "/never-was"],
    )
    assert plan == (["/changed", "/new"], 3, ["/gone"], ())
