"""Pages are moved, renamed, unpublished, restored, redirected and rolled back in any order. Every URL that was ever
live replies 200, 301, 302 or 410, in one hop. The test covers releases, builds and the edge's replies.

`make soak` draws three hundred histories.
"""

import os
import tempfile
from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from portolan.builds.live import read_live, resume
from portolan.builds.manifest import read_manifest
from portolan.edge.app import Edge
from portolan.publisher.addresses import Addresses
from portolan.publisher.publish import Publisher
from portolan.publisher.web_build import WebBuild
from portolan.releases.reader import open_reader
from portolan.sites.registry import Registry
from testing.memory import folder_in_memory

from ..edge.conftest import ask_app, echo
from .fake_renderer import FakeRenderer
from .release_book import ReleaseBook, page, small_site

EXAMPLES = int(os.environ.get("PORTOLAN_HISTORIES", "8"))
SITES = {"en": "localhost:8000", "de": "de.localhost:8000"}
KEYS = ("one", "two", "three")
PATHS = ("/a", "/b", "/a/b", "/a/c", "/b/c")
SOURCES = (*PATHS, "/a/*", "/b/*", "/x")
TARGETS = ("", "one", "two", *PATHS, "/x", "/about-us?x=1#part", "https://elsewhere.example/y", "/a/*", "/b/*")
STEPS = st.one_of(
    st.tuples(st.just("put"), st.sampled_from(KEYS), st.sampled_from(PATHS)),
    st.tuples(st.just("put"), st.sampled_from(KEYS), st.sampled_from(PATHS)),
    st.tuples(st.just("remove"), st.sampled_from(KEYS), st.just("")),
    st.tuples(st.just("rename"), st.sampled_from(KEYS), st.just("")),
    st.tuples(st.just("redirect"), st.sampled_from(SOURCES), st.sampled_from(TARGETS)),
    st.tuples(st.just("unredirect"), st.sampled_from(SOURCES), st.just("")),
    st.tuples(st.just("publish"), st.sampled_from(("warm", "cold", "full")), st.just("")),
    st.tuples(st.just("back"), st.integers(0, 9), st.just("")),
    st.tuples(st.just("resume"), st.just(""), st.just("")),
)


class Town:
    def __init__(self, folder: Path, registry: Registry, web: WebBuild, media: Path) -> None:
        self.builds, self.media = folder / "builds", media
        self.book = ReleaseBook(folder / "releases.sqlite3")
        for site in SITES:
            small_site(self.book, site)
        self._open = lambda: Publisher(
            Addresses(registry, "local", 8000), open_reader(self.book.url), web, self.builds, media, FakeRenderer()
        )
        self.warm = self._open()
        self.count = 0
        self.ever: set[tuple[str, str]] = set()
        self.book.release()
        self.warm.publish()

    def do(self, step: str, site: str, what: Any, where: str) -> None:
        content, key = self.book.content, (site, "page", what)
        self.count += 1
        if step == "put":  # new, moved or put back
            content[key] = {**(content.get(key) or page(where)), "path": where}
        elif step == "remove":
            content.pop(key, None)
        elif step == "rename" and key in content:
            content[key]["title"] = f"Title {self.count}"
        elif step == "redirect":
            page_key = where if where in KEYS else None
            body = {"page": page_key, "anchor": "", "address": "" if page_key else where}
            content[site, "redirect", what] = {**body, "status": 301 + self.count % 2 if where else 410}
        elif step == "unredirect":
            content.pop((site, "redirect", what), None)
        elif step == "publish":
            (self._open() if what == "cold" else self.warm).publish(keep_going=True, full=what == "full")
        elif step == "back":
            self.warm.go_back(1 + what % self.book.number, by="anna")
        elif step == "resume":
            resume(self.builds)
        if step in ("put", "remove", "rename", "redirect", "unredirect"):
            self.book.release()

    def check(self) -> None:
        live = read_live(self.builds).builds
        for site in SITES:
            files = read_manifest(self.builds, site, live[site]).files
            pages = {path for path, file in files.items() if file.content_type.startswith("text/html")}
            self.ever |= {(site, path) for path in pages if not path.endswith(".html")}
        edge = Edge(self.builds, self.media, lambda: echo)
        for site, path in self.ever:
            answer = ask_app(edge, path, SITES[site])
            assert answer.status in (200, 301, 302, 410), f"{site}{path}: {answer.status}"
            location = answer.headers.get("location", "")
            if location.startswith("/"):
                assert ask_app(edge, location.partition("#")[0], SITES[site]).status == 200, f"{site}{path}: {location}"
            data = "/page-data" + (path if path != "/" else "/index") + "/page-data.json"
            assert ask_app(edge, data, SITES[site]).status in (200, 301, 302, 410), f"{site}{path}: {answer.status}"


@settings(
    max_examples=EXAMPLES, deadline=None, derandomize=True, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(st.lists(st.tuples(st.sampled_from(tuple(SITES)), STEPS), min_size=4, max_size=25))
@example(
    [
        ("de", ("put", "one", "/a")),
        ("de", ("publish", "warm", "")),
        ("de", ("redirect", "/a/*", "/b/*")),
        ("de", ("redirect", "/b/*", "/a/*")),
        ("de", ("put", "one", "/b")),
        ("de", ("publish", "warm", "")),
        ("de", ("back", 0, "")),  # to a release that had neither
        ("de", ("resume", "", "")),
        ("de", ("remove", "one", "")),
        ("de", ("publish", "cold", "")),
    ]
)
def test_every_address_that_was_ever_live_answers_in_one_hop(
    registry: Registry, web: WebBuild, media: Path, steps: list[tuple[str, tuple[str, Any, str]]]
) -> None:
    with tempfile.TemporaryDirectory(dir=folder_in_memory()) as folder:
        town = Town(
            Path(folder), registry.model_copy(update={"sites": {key: registry.sites[key] for key in SITES}}), web, media
        )
        for site, (step, what, where) in steps:
            town.do(step, site, what, where)
            if step in ("publish", "back"):
                town.check()
        resume(town.builds)
        town.warm.publish(keep_going=True)
        town.check()
        town.book.close()
