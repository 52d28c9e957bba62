"""The long-lived publisher: what is committed goes live, failures are told and tried again, nothing ends it."""

import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest

from portolan.builds.live import read_live, switch_live
from portolan.builds.manifest import list_builds
from portolan.publisher.outcome import read_outcome
from portolan.publisher.publish import Publisher
from portolan.publisher.watch import Watch
from portolan.releases.reader import open_reader

from .conftest import MakePublisher
from .fake_renderer import FakeRenderer
from .release_book import ReleaseBook


class Watched:
    """A watch whose clock, freezing and inputs a test moves."""

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
        self.reader = open_reader(book.url)
        self._make = make_publisher
        self.watch = self.start()

    def start(self) -> Watch:
        return Watch(
            self.builds, self.reader, self._open, lambda: self.stamp, self._freeze, self.lines.append, lambda: self.now
        )

    def live(self) -> dict[str, str]:
        return dict(read_live(self.builds))

    def _open(self) -> Publisher:
        self.opened += 1
        return self._make(self.renderer, builds=self.builds)

    def _freeze(self) -> None:
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


def test_takes_a_new_web_build_or_registry(watched: Watched) -> None:
    watched.frozen = True
    watched.watch.round(woken=True)
    watched.stamp = "another"
    assert watched.watch.round(woken=False)
    assert watched.opened == 2


def test_problem_is_said_once_and_tried_again_later(watched: Watched, book: ReleaseBook) -> None:
    book.content["de", "page", "about"]["blocks"][0]["picture"] = {"$picture": "9", "alt": ""}
    watched.frozen = True
    assert watched.watch.round(woken=True) is None
    assert "shows a picture that does not exist any more" in watched.lines[0]
    watched.now = 3.0
    watched.watch.round(woken=False)
    watched.now = 6.0
    watched.watch.round(woken=False)
    assert len(watched.lines) == 1
    book.content["de", "page", "about"]["blocks"][0]["picture"] = None
    watched.frozen = True
    assert watched.watch.round(woken=True)


def test_pauses_between_tries_but_not_when_woken(watched: Watched, book: ReleaseBook) -> None:
    book.release()
    watched.failure = sqlite3.OperationalError("database is locked")
    watched.watch.round(woken=True)
    watched.failure = None
    watched.now = 4.9
    assert watched.watch.round(woken=False) is None
    assert watched.live() == {}
    assert watched.watch.round(woken=True)


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


def test_leaves_alone_what_an_operator_put_live_again(watched: Watched, book: ReleaseBook) -> None:
    for title in ("One", "Two"):
        book.content["en", "page", "web"]["blocks"][0]["title"] = title
        watched.frozen = True
        watched.watch.round(woken=True)
    earlier = list_builds(watched.builds, "en")[-1].build
    switch_live(watched.builds, {"en": earlier})
    assert watched.watch.round(woken=True) is None
    restarted = watched.start()
    assert restarted.round(woken=True) is None
    assert watched.live()["en"] == earlier
    book.content["en", "page", "web"]["blocks"][0]["title"] = "Three"
    watched.frozen = True
    assert restarted.round(woken=True)
    assert watched.live()["en"] != earlier
    restarted.close()
