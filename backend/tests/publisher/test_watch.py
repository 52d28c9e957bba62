"""`portolan serve` publishes each commit, reports failures and tries again, and survives all errors."""

import sqlite3
from collections.abc import Iterator
from copy import deepcopy
from pathlib import Path

import pytest

from portolan.builds.damage import read_damage
from portolan.builds.live import live_file, read_live, resume
from portolan.builds.manifest import manifest_path, read_manifest
from portolan.builds.met_damage import report_damage
from portolan.builds.scrub import Scrub
from portolan.builds.store import ContentStore
from portolan.builds.verify import verify
from portolan.domain.routes import page_data_path
from portolan.publisher.go_back import go_to_build
from portolan.publisher.outcome import read_outcome
from portolan.publisher.publish import Publisher
from portolan.publisher.watch import Watch
from portolan.releases.reader import open_reader

from ..builds.test_verify import ruin
from .conftest import MakePublisher
from .fake_renderer import FakeRenderer
from .release_book import ReleaseBook, picture


class Watched:
    """A watch with a clock, snapshots and inputs that a test controls."""

    def __init__(self, book: ReleaseBook, builds: Path, make_publisher: MakePublisher) -> None:
        self.book = book
        self.builds = builds
        self.now = 0.0
        self.stamp = "as it was"
        self.opened = 0
        self.renderer = FakeRenderer()
        self.lines: list[str] = []
        self.failure: Exception | None = None
        self.frozen = False
        self.froze_at: list[float] = []
        self.reader = open_reader(book.url)
        self._make = make_publisher
        self.watch = self.start()

    def start(self) -> Watch:
        return Watch(
            self.builds,
            self.reader,
            self._open,
            lambda: self.stamp,
            self._snapshot,
            self.lines.append,
            lambda: self.now,
        )

    def live(self) -> dict[str, str]:
        return dict(read_live(self.builds).builds)

    def _open(self) -> Publisher:
        self.opened += 1
        return self._make(self.renderer, builds=self.builds)

    def _snapshot(self) -> None:
        self.froze_at.append(self.now)
        if self.failure:
            raise self.failure
        if self.frozen:
            self.frozen = False
            self.book.release()


@pytest.fixture
def watched(book: ReleaseBook, tmp_path: Path, make_publisher: MakePublisher) -> Iterator[Watched]:
    watched = Watched(book, tmp_path / "builds", make_publisher)
    yield watched
    watched.watch.close()
    watched.reader.close()


def test_waits_for_a_first_release(watched: Watched) -> None:
    assert watched.watch.round(woken=True) is None
    assert watched.lines == []


def test_publishes_what_was_frozen_and_says_so(watched: Watched) -> None:
    watched.frozen = True
    assert watched.watch.round(woken=True)
    assert sorted(watched.live()) == ["ae", "de", "en"]
    assert watched.lines[0].startswith("release 1 live in 0 ms (freeze 0, publish ")
    assert watched.watch.round(woken=False) is None


def test_keeps_its_publisher_and_renders_what_changed(watched: Watched, book: ReleaseBook) -> None:
    watched.frozen = True
    watched.watch.round(woken=True)
    watched.renderer.rendered.clear()
    book.content["de", "page", "about"]["blocks"][0]["title"] = "Neu"
    watched.frozen = True
    watched.watch.round(woken=True)
    assert watched.renderer.rendered == [("de", "/about-us")]
    assert watched.opened == 1
    assert watched.lines[1].endswith("de 1 rendered")


def test_follows_again_where_somebody_went_back_and_resumed_between_two_rounds(
    watched: Watched, book: ReleaseBook
) -> None:
    watched.frozen = True
    watched.watch.round(woken=True)
    first = watched.live()
    book.content["de", "page", "about"]["blocks"][0]["title"] = "Neu"
    watched.frozen = True
    watched.watch.round(woken=True)
    assert watched.watch.round(woken=False) is None
    go_to_build(watched.builds, "de", first["de"], "anna")
    resume(watched.builds)
    assert read_live(watched.builds).releases["de"] == 1
    assert watched.watch.round(woken=True)
    assert read_live(watched.builds).releases["de"] == 2
    assert watched.watch.round(woken=True) is None


def test_takes_a_new_web_build_or_registry(watched: Watched) -> None:
    watched.frozen = True
    watched.watch.round(woken=True)
    watched.stamp = "another"
    assert watched.watch.round(woken=False)
    assert watched.opened == 2


def test_what_is_blocked_is_said_once_and_tried_again_later(watched: Watched, book: ReleaseBook, media: Path) -> None:
    """The missing file may come without an edit. Here it is an image's file."""
    watched.frozen = True
    watched.watch.round(woken=True)
    before = watched.live()
    book.content["de", "page", "about"]["blocks"][0]["picture"] = {"$picture": "2", "alt": ""}
    book.content["", "picture", "2"] = picture("late")
    watched.frozen = True
    assert watched.watch.round(woken=True)
    assert watched.live()["de"] == before["de"]
    assert (
        "Blocked until it is fixed, while everything else goes live:\n  de, “About de” (/about-us), block 1 (Hero), picture: shows"
        in watched.lines[1]
    )
    for now in (3.0, 6.0, 7.0):
        watched.now = now
        watched.watch.round(woken=False)
    assert len(watched.lines) == 3
    (media / "late.svg").write_text("<svg/>")
    watched.now = 9.0
    assert watched.watch.round(woken=False) is None  # the second try was at 6, the next one is at 16
    watched.now = 16.0
    assert watched.watch.round(woken=False)
    assert watched.live()["de"] != before["de"]


def test_a_problem_that_is_live_is_said_once_and_nothing_else_waits(watched: Watched, book: ReleaseBook) -> None:
    """The site had no other build to serve."""
    book.content["de", "page", "about"]["blocks"][0]["picture"] = {"$picture": "9", "alt": ""}
    watched.frozen = True
    assert watched.watch.round(woken=True)
    assert sorted(watched.live()) == ["ae", "de", "en"]
    book.content["de", "page", "web"]["blocks"][0]["title"] = "Neu"
    watched.frozen = True
    assert watched.watch.round(woken=True)
    said = [
        line for line in watched.lines if line.startswith("Live with a problem, because the site had no other build")
    ]
    assert len(said) == 1
    assert "de, “About de” (/about-us), block 1 (Hero), picture: shows an image that was deleted" in said[0]


def test_a_damaged_pointer_is_written_again(watched: Watched) -> None:
    watched.frozen = True
    watched.watch.round(woken=True)
    before = watched.live()
    live_file(watched.builds).write_text("{")
    watched.watch.round(woken=False)
    assert watched.live() == before


def test_what_is_blocked_keeps_nothing_new_waiting(watched: Watched, book: ReleaseBook) -> None:
    watched.frozen = True
    watched.watch.round(woken=True)
    book.content["de", "page", "about"]["blocks"][0]["picture"] = {"$picture": "9", "alt": ""}
    watched.frozen = True
    watched.watch.round(woken=True)
    before = watched.live()
    book.content["de", "page", "web"]["blocks"][0]["title"] = "Neu"
    watched.frozen = True
    assert watched.watch.round(woken=False)
    assert watched.live()["de"] != before["de"]
    assert [line for line in watched.lines if line.startswith("Blocked until")] == watched.lines[1:2]


def test_pauses_between_tries_but_not_when_woken(watched: Watched, book: ReleaseBook) -> None:
    book.release()
    watched.failure = sqlite3.OperationalError("database is locked")
    watched.watch.round(woken=True)
    watched.failure = None
    watched.now = 4.9
    assert watched.watch.round(woken=False) is None
    assert watched.live() == {}
    assert watched.watch.round(woken=True)


@pytest.mark.parametrize(
    ("failure", "tried_at"),
    [
        (RuntimeError("a bug of ours"), [0, 5, 15, 45, 105, 405, 705]),
        (sqlite3.OperationalError("database is locked"), [*range(0, 720, 5)]),
    ],
    ids=["what fails again is tried less often", "a database that is away is asked as often as ever"],
)
def test_what_fails_is_tried_again_and_told_once(watched: Watched, failure: Exception, tried_at: list[float]) -> None:
    watched.failure = failure
    for watched.now in range(720):
        assert watched.watch.round(woken=False) is None
    assert watched.froze_at == tried_at
    assert len(watched.lines) == 1


def test_no_failure_ends_it(watched: Watched, book: ReleaseBook) -> None:
    book.release()
    watched.watch.round(woken=True)
    watched.failure = RuntimeError("a bug of ours")
    assert watched.watch.round(woken=True) is None
    assert "a bug of ours" in watched.lines[-1]
    watched.failure = None
    watched.frozen = True
    book.content["en", "page", "web"]["blocks"][0]["title"] = "New"
    assert watched.watch.round(woken=True)
    assert watched.opened == 2


def test_failure_of_its_own_is_kept_for_editors_until_it_works_again(watched: Watched, book: ReleaseBook) -> None:
    book.release()
    watched.watch.round(woken=True)
    watched.failure = RuntimeError("a bug of ours")
    watched.watch.round(woken=True)
    outcome = read_outcome(watched.builds)
    assert outcome
    assert not outcome.is_live
    assert "a bug of ours" in outcome.failure
    watched.failure = None
    watched.watch.round(woken=True)
    outcome = read_outcome(watched.builds)
    assert outcome
    assert outcome.is_live


def test_what_is_pinned_stays_until_it_is_resumed(
    watched: Watched, book: ReleaseBook, make_publisher: MakePublisher
) -> None:
    for title in ("One", "Two"):
        book.content["en", "page", "web"]["blocks"][0]["title"] = title
        watched.frozen = True
        watched.watch.round(woken=True)
    make_publisher(FakeRenderer(), builds=watched.builds).go_back(by="an operator")  # another process
    pinned = watched.live()
    restarted = watched.start()
    for title in ("Three", "Four"):
        book.content["de", "page", "web"]["blocks"][0]["title"] = title
        watched.frozen = True
        watched.watch.round(woken=True)
        restarted.round(woken=True)
        assert watched.live() == pinned
    assert watched.lines[-1] == "release 4 waits: every site is pinned until `portolan resume`"
    resume(watched.builds)
    assert restarted.round(woken=True)
    manifest = read_manifest(watched.builds, "en", watched.live()["en"])
    assert b"Two" in (ContentStore(watched.builds).read(manifest.files["/services/web-development"].digest) or b"")
    assert read_live(watched.builds).releases["de"] == 4
    restarted.close()


def test_a_rollback_that_was_over_before_it_looked_is_noticed(
    watched: Watched, book: ReleaseBook, make_publisher: MakePublisher
) -> None:
    for title in ("One", "Two"):
        book.content["en", "page", "web"]["blocks"][0]["title"] = title
        watched.frozen = True
        watched.watch.round(woken=True)
    newest = watched.live()
    make_publisher(FakeRenderer(), builds=watched.builds).go_back(by="an operator")  # another process
    assert watched.live() != newest
    resume(watched.builds)
    assert watched.watch.round(woken=True)
    assert read_live(watched.builds).releases["en"] == 2
    assert watched.watch.round(woken=False) is None


def test_a_restored_database_is_noticed(watched: Watched, book: ReleaseBook) -> None:
    """Its newest release differs from the published one of the same number."""
    watched.frozen = True
    watched.watch.round(woken=True)
    backup = deepcopy(book.content)
    book.content["de", "page", "about"]["blocks"][0]["title"] = "After the backup"
    watched.frozen = True
    watched.watch.round(woken=True)
    lost = watched.live()["de"]
    book.restore(1, backup)
    book.release()
    assert watched.watch.round(woken=False)
    assert watched.live()["de"] != lost


def test_what_the_scrub_found_damaged_is_made_anew_without_an_edit(watched: Watched, book: ReleaseBook) -> None:
    watched.frozen = True
    watched.watch.round(woken=True)
    manifest = read_manifest(watched.builds, "de", watched.live()["de"])
    broken = [manifest.files[path] for path in ("/about-us", "/assets/app-1.js", "/sitemap.xml")]
    before = [ContentStore(watched.builds).read(file.digest) for file in broken]
    for file in broken:
        ruin(watched.builds, file.digest)
    Scrub(watched.builds).round()
    assert set(read_damage(watched.builds).files) == {file.digest for file in broken}
    assert watched.watch.round(woken=False)
    assert "3 damaged files of live builds are repaired." in watched.lines
    assert [ContentStore(watched.builds).read(file.digest) for file in broken] == before
    assert watched.live()["de"] == manifest.build  # the same files
    watched.renderer.rendered.clear()
    assert watched.watch.round(woken=False) is None  # once, even if the report has it already
    Scrub(watched.builds).look_again()
    assert not read_damage(watched.builds).files


def break_file(root: Path, digest: str, how: str) -> None:
    """Break a file that is stored alone, without copies."""
    path = Path(ContentStore(root).path(digest))
    path.chmod(0o644)
    if how == "missing":
        path.unlink()
    else:
        data = path.read_bytes()
        path.write_bytes(data[: len(data) // 2] if how == "truncated" else b"x" * len(data))
    for suffix in (".br", ".gz"):
        path.with_name(f"{path.name}{suffix}").unlink(missing_ok=True)


@pytest.mark.parametrize("how", ["missing", "truncated", "altered"])
@pytest.mark.parametrize("part", ["html", "data"])
def test_what_an_edge_has_met_is_rendered_again_and_no_other_page(watched: Watched, part: str, how: str) -> None:
    watched.frozen = True
    watched.watch.round(woken=True)
    manifest = read_manifest(watched.builds, "de", watched.live()["de"])
    file = manifest.files["/about-us" if part == "html" else page_data_path("/about-us")]
    before = ContentStore(watched.builds).read(file.digest)
    break_file(watched.builds, file.digest, how)
    watched.renderer.rendered.clear()
    report_damage(watched.builds, "edge-1", [file.digest])
    watched.watch.round(woken=True)
    assert watched.renderer.rendered == [("de", "/about-us")]
    assert ContentStore(watched.builds).read(file.digest) == before
    assert watched.live()["de"] == manifest.build
    assert not read_damage(watched.builds).files
    watched.renderer.rendered.clear()
    assert watched.watch.round(woken=True) is None
    assert watched.renderer.rendered == []


@pytest.mark.parametrize("path", ["/assets/app-1.js", "/sitemap.xml", "/robots.txt", "/404.html"])
def test_every_other_file_of_a_site_is_made_again_too(watched: Watched, path: str) -> None:
    watched.frozen = True
    watched.watch.round(woken=True)
    manifest = read_manifest(watched.builds, "de", watched.live()["de"])
    before = ContentStore(watched.builds).read(manifest.files[path].digest)
    break_file(watched.builds, manifest.files[path].digest, "altered")
    report_damage(watched.builds, "edge-1", [manifest.files[path].digest])
    watched.watch.round(woken=True)
    assert ContentStore(watched.builds).read(manifest.files[path].digest) == before
    assert not read_damage(watched.builds).files


def test_a_damaged_manifest_gets_a_new_build(watched: Watched) -> None:
    watched.frozen = True
    watched.watch.round(woken=True)
    before = watched.live()["de"]
    path = manifest_path(watched.builds, "de", before)
    path.chmod(0o644)
    path.write_bytes(b"junk")
    report_damage(watched.builds, "edge-1", [f"de {before}"])
    watched.watch.round(woken=True)
    assert watched.live()["de"] != before
    assert verify(watched.builds, "de", watched.live()["de"]) == []


def test_reports_of_what_is_whole_or_no_file_of_a_build_render_nothing(watched: Watched) -> None:
    watched.frozen = True
    watched.watch.round(woken=True)
    manifest = read_manifest(watched.builds, "de", watched.live()["de"])
    watched.renderer.rendered.clear()
    report_damage(watched.builds, "edge-1", [*(file.digest for file in manifest.files.values()), "0" * 32, "../x"])
    assert watched.watch.round(woken=True) is None
    assert watched.renderer.rendered == []
    assert not read_damage(watched.builds).files


def test_many_are_repaired_a_few_at_a_time_and_those_that_visitors_met_first(
    watched: Watched, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("portolan.publisher.watch.FILES_AT_ONCE", 1)
    watched.frozen = True
    watched.watch.round(woken=True)
    files = read_manifest(watched.builds, "de", watched.live()["de"]).files
    pages = ["/", "/about-us"]
    for page in pages:
        break_file(watched.builds, files[page].digest, "missing")
    Scrub(watched.builds).round()
    late = max(pages, key=lambda page: files[page].digest)
    report_damage(watched.builds, "edge-1", [files[late].digest])
    watched.renderer.rendered.clear()
    watched.watch.round(woken=True)
    assert watched.renderer.rendered == [("de", late)]
    assert watched.watch.has_more
    watched.watch.round(woken=True)
    assert not watched.watch.has_more
    assert verify(watched.builds, "de", watched.live()["de"]) == []


@pytest.mark.parametrize("how", ["missing", "truncated", "altered"])
def test_a_full_publish_stores_again_what_nobody_has_found_yet(watched: Watched, how: str) -> None:
    watched.frozen = True
    watched.watch.round(woken=True)
    manifest = read_manifest(watched.builds, "de", watched.live()["de"])
    for file in list(dict.fromkeys(manifest.files.values()))[::2]:
        break_file(watched.builds, file.digest, how)
    assert verify(watched.builds, "de", manifest.build)
    with watched._open() as publisher:
        publisher.publish(full=True)
    assert verify(watched.builds, "de", manifest.build) == []


@pytest.mark.parametrize("sites", [(), ("de",)], ids=["installation", "site"])
@pytest.mark.parametrize("path", ["/about-us", "/robots.txt"])
def test_a_pinned_site_is_repaired_and_stays_pinned(
    watched: Watched, book: ReleaseBook, sites: tuple[str, ...], path: str
) -> None:
    watched.frozen = True
    watched.watch.round(woken=True)
    book.content["de", "page", "about"]["blocks"][0]["title"] = "Neu"
    watched.frozen = True
    watched.watch.round(woken=True)
    with watched._open() as publisher:
        publisher.go_back(1, sites, "anna")
    file = read_manifest(watched.builds, "de", watched.live()["de"]).files[path]
    before = ContentStore(watched.builds).read(file.digest)
    break_file(watched.builds, file.digest, "missing")
    report_damage(watched.builds, "edge-1", [file.digest])
    watched.watch.round(woken=True)
    pointer = read_live(watched.builds)
    assert ContentStore(watched.builds).read(file.digest) == before
    assert (pointer.releases["de"], pointer.pins["de"].by) == (1, "anna")
    assert pointer.installation.is_pinned is (not sites)
    assert verify(watched.builds, "de", pointer.builds["de"]) == []
