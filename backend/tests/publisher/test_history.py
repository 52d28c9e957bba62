"""Edits, publishes, reverts, holds and resumes happen in any order. A hold keeps the live state, and going back to a
release shows its content. After resuming, the files equal a full build of the newest release.

`make soak` draws three hundred histories.
"""

import os
import tempfile
from contextlib import suppress
from pathlib import Path

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from portolan.builds.live import read_live, resume
from portolan.builds.manifest import File, list_builds, manifest_path, read_manifest
from portolan.builds.store import ContentStore
from portolan.publisher.addresses import Addresses
from portolan.publisher.build_inputs import inputs_path
from portolan.publisher.journal import find_renderings, read_entries
from portolan.publisher.problem import PublishError
from portolan.publisher.publish import Publisher
from portolan.publisher.web_build import WebBuild
from portolan.releases.reader import open_reader
from portolan.sites.registry import Registry
from testing.memory import folder_in_memory

from .fake_renderer import FakeRenderer
from .release_book import ReleaseBook, page, small_site

SITES = ("en", "de", "ae")
EXAMPLES = int(os.environ.get("PORTOLAN_HISTORIES", "6"))
STEPS = st.one_of(
    st.tuples(st.just("edit"), st.sampled_from(("text", "move", "add", "remove")), st.sampled_from(SITES)),
    st.tuples(st.just("publish"), st.sampled_from(("warm", "cold")), st.just("")),
    st.tuples(st.just("back"), st.integers(0, 9), st.sampled_from(("", "", "", "de"))),
    st.tuples(st.just("resume"), st.just(""), st.sampled_from(("", "", "de"))),
    st.tuples(st.just("prune"), st.integers(0, 9), st.sampled_from(SITES)),
)


class History:
    def __init__(self, folder: Path, registry: Registry, web: WebBuild, media: Path) -> None:
        self.folder, self.registry, self.web, self.media = folder, registry, web, media
        self.builds = folder / "builds"
        self.book = ReleaseBook(folder / "releases.sqlite3")
        for site in SITES:
            small_site(self.book, site)
        self.book.release()
        self.warm = self.publisher(self.builds)
        self.warm.publish()
        self.count = 0

    def publisher(self, builds: Path) -> Publisher:
        addresses = Addresses(self.registry, "local", 8000)
        return Publisher(addresses, open_reader(self.book.url), self.web, builds, self.media, FakeRenderer())

    def do(self, step: str, what: str | int, site: str) -> None:
        getattr(self, step)(what, site)

    def edit(self, kind: str, site: str) -> None:
        self.count += 1
        about, extra = self.book.content[site, "page", "about"], (site, "page", "extra")
        if kind == "text":
            about["blocks"][0]["title"] = f"Edition {self.count}"
        elif kind == "move":
            about["path"] = f"/about-{self.count % 3}"
        elif kind == "add":
            self.book.content[extra] = page("/extra", f"Extra {self.count}", parent="about")
        else:
            self.book.content.pop(extra, None)
        self.book.release()

    def publish(self, who: str, site: str) -> None:
        (self.warm if who == "warm" else self.publisher(self.builds)).publish(keep_going=True)

    def back(self, chosen: int, site: str) -> None:
        release = 1 + chosen % self.book.number
        before = self.live()
        try:
            self.warm.go_back(release, [site] if site else [], "anna")
        except Exception:
            assert self.live() == before
            if not site:
                raise
            return
        expected = self.full(release)
        shown = {key: file for key, file in self.live().items() if key[0] == site or not site}
        assert shown == {key: file for key, file in expected.items() if key[0] == site or not site}

    def resume(self, _: str, site: str) -> None:
        resume(self.builds, [site] if site else [])

    def prune(self, chosen: int, site: str) -> None:
        """Delete an unused build and its records."""
        heads = list_builds(self.builds, site)
        parents = {head.parent for head in heads}
        gone = [head.build for head in heads if head.build not in {*parents, read_live(self.builds).builds[site]}]
        if gone:
            manifest_path(self.builds, site, gone[chosen % len(gone)]).unlink()
            inputs_path(self.builds, site, gone[chosen % len(gone)]).unlink(missing_ok=True)

    def live(self, builds: Path | None = None) -> dict[tuple[str, str], File]:
        root = builds or self.builds
        store = ContentStore(root)
        found = {
            (site, path): file
            for site, build in read_live(root).builds.items()
            for path, file in read_manifest(root, site, build).files.items()
        }
        assert all(store.read(file.digest) is not None for file in found.values())
        for site, build in read_live(
            root
        ).builds.items():  # and the journal has the build in which each page was rendered
            entries = list(read_entries(root, site))
            pages = [
                path for (at, path), file in found.items() if at == site and file.content_type.startswith("text/html")
            ]
            assert all(next(find_renderings(entries, build, path), None) for path in pages)
        return found

    def full(self, release: int | None = None) -> dict[tuple[str, str], File]:
        with tempfile.TemporaryDirectory(dir=self.folder) as other:
            self.publisher(Path(other)).publish(release)
            return self.live(Path(other))


@settings(
    max_examples=EXAMPLES, deadline=None, derandomize=True, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(st.lists(STEPS, min_size=3, max_size=14))
def test_a_hold_keeps_what_is_live_and_resuming_leads_to_the_newest_release(
    registry: Registry, web: WebBuild, media: Path, steps: list[tuple[str, str | int, str]]
) -> None:
    with tempfile.TemporaryDirectory(dir=folder_in_memory()) as folder:
        history = History(Path(folder), registry, web, media)
        for step in steps:
            before, pinned = history.live(), read_live(history.builds).pins
            history.do(*step)
            if step[0] not in ("back", "resume"):
                kept = {key: file for key, file in history.live().items() if key[0] in pinned}
                assert kept == {key: file for key, file in before.items() if key[0] in pinned}
        resume(history.builds)
        with suppress(PublishError):
            history.warm.publish()
        assert history.live() == history.full()
        history.book.close()
