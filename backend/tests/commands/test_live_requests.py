"""The publisher does the studio's requests in spite of failures."""

import sqlite3

import pytest

from portolan.builds.live import read_live, resume
from portolan.commands.live_requests import answer_requests
from portolan.publisher.watch import Watch
from portolan.releases.reader import open_reader

from ..publisher.conftest import addresses, book, make_publisher, media, registry, web
from ..publisher.fake_renderer import FakeRenderer

__all__ = ["addresses", "book", "make_publisher", "media", "registry", "web"]


class Desk:
    def __init__(self, book, builds, make_publisher):
        self.book, self.builds = book, builds
        self.reader = open_reader(book.url)
        self.publisher = make_publisher(FakeRenderer(), builds=builds)
        self.answers: list[tuple[int, str]] = []
        self.lines: list[str] = []

    def edit(self, title):
        self.book.content["de", "page", "about"]["blocks"][0]["title"] = title
        self.book.release()

    def ask(self, release):
        with sqlite3.connect(self.book.file) as database:
            database.execute('INSERT INTO releases_liverequest (release, "by") VALUES (?, ?)', (release, "Anna"))
        database.close()

    def _settle(self, id, problem):
        self.answers.append((id, problem))
        with sqlite3.connect(self.book.file) as database:
            database.execute("UPDATE releases_liverequest SET done_at = 'now' WHERE id = ?", (id,))
        database.close()

    def answer(self, publisher=None):
        answer_requests(publisher or self.publisher, self.reader, self.builds, self.lines.append, self._settle)


@pytest.fixture
def desk(book, tmp_path, make_publisher):
    desk = Desk(book, tmp_path / "builds", make_publisher)
    for title in ("First", "Second"):
        desk.edit(title)
        desk.publisher.publish()
    yield desk
    desk.reader.close()


def test_goes_back_and_resumes_in_the_order_of_the_requests(desk):
    desk.ask(1)
    desk.answer()
    live = read_live(desk.builds)
    assert live.installation[:2] == (True, 1)
    assert live.installation.by == "Anna"
    desk.ask(None)
    desk.answer()
    assert not read_live(desk.builds).pins
    assert desk.answers == [(1, ""), (2, "")]
    assert desk.lines == [
        "release 1, requested in the studio by Anna: done",
        "resume, requested in the studio by Anna: done",
    ]
    desk.answer()
    assert len(desk.answers) == 2


def test_what_cannot_be_done_is_answered_and_stops_nothing(desk, monkeypatch):
    desk.ask(9)
    desk.ask(1)
    desk.answer()
    assert desk.answers[0][1].startswith("There is no release 9. No site was changed.")
    assert desk.answers[1] == (2, "")
    desk.ask(2)
    monkeypatch.setattr(desk.publisher, "go_back", lambda *args, **given: 1 / 0)
    desk.answer()
    assert "ZeroDivisionError" in desk.answers[2][1]
    assert read_live(desk.builds).installation.release == 1


def test_the_long_lived_publisher_answers_and_follows_without_a_restart(desk):
    publishers = []

    def open_publisher():
        publishers.append(desk.publisher)
        return desk.publisher

    watch = Watch(
        desk.builds, desk.reader, open_publisher, lambda: "", lambda: None, desk.lines.append, answer=desk.answer
    )
    watch.round(woken=True)
    desk.ask(1)
    watch.round(woken=True)
    pinned = dict(read_live(desk.builds).builds)
    desk.edit("Third")
    watch.round(woken=True)
    assert dict(read_live(desk.builds).builds) == pinned
    desk.ask(None)
    assert watch.round(woken=True)
    assert set(read_live(desk.builds).releases.values()) == {3}
    resume(desk.builds)
    assert len(publishers) == 1
