"""A site's journal about a page, and its gaps."""

from pathlib import Path

import pytest

from portolan.builds.live import read_live
from portolan.publisher import journal
from portolan.publisher.journal import Entry, Rendering, append_entry, find_renderings, read_entries
from portolan.publisher.reasons import Cause, Reason
from portolan.releases.reader import ItemId

from .conftest import MakePublisher
from .fake_renderer import FakeRenderer
from .release_book import ReleaseBook, office

FIRST, AGAIN = Reason(Cause.FIRST), Reason(Cause.AGAIN)
OWN = Reason(Cause.PAGE, ItemId("de", "page", "about"))
SHOWN = Reason(Cause.ITEM, ItemId("", "picture", "1"), ("news",))


def entry(build: str, before: str = "", **more: object) -> Entry:
    return Entry(build, before, 1, 0, "2026-11-23T10:00:00.000+00:00", "web-1")._replace(**more)


def last(root: Path, build: str, path: str) -> Rendering | None:
    return next(find_renderings(read_entries(root, "de"), build, path), None)


def test_gives_back_what_was_written(tmp_path: Path) -> None:
    entries = [
        entry("1", every=(FIRST,), kept=frozenset({"/stale"})),
        entry("2", "1", pages={"/a": (OWN, SHOWN), "/b": (SHOWN,), "/c": (SHOWN,)}, release=2, since=1),
        entry("3", "1", by="anna"),
    ]
    for each in entries:
        append_entry(tmp_path, "de", each)
    assert list(read_entries(tmp_path, "de")) == entries[::-1]
    assert list(read_entries(tmp_path, "en")) == []


LINES = [
    entry("1", every=(FIRST,)),
    entry("2", "1", pages={"/a": (OWN,)}),
    entry("2", "2", pages={"/b": (SHOWN,)}),  # rendered, and the same as before: no new build
    entry("3", "1", by="anna"),  # an editor went back to the first one
    entry("4", "3", every=(AGAIN,), kept=frozenset({"/a"})),
]


@pytest.mark.parametrize(
    ("live", "path", "build", "reasons", "back"),
    [
        ("1", "/a", "1", FIRST, ""),
        ("2", "/a", "2", OWN, ""),
        ("2", "/b", "2", SHOWN, ""),
        ("2", "/c", "1", FIRST, ""),
        ("3", "/a", "1", FIRST, "3"),
        ("4", "/b", "4", AGAIN, ""),
        ("4", "/a", "1", FIRST, "3"),
    ],
)
def test_finds_where_a_page_of_a_build_was_rendered_last(
    tmp_path: Path, live: str, path: str, build: str, reasons: Reason, back: str
) -> None:
    for line in LINES:
        append_entry(tmp_path, "de", line)
    found = last(tmp_path, live, path)
    assert found
    assert (found.entry.build, found.reasons) == (build, (reasons,))
    assert (found.back.build if found.back else "") == back


def test_what_is_not_known_is_not_said(tmp_path: Path) -> None:
    append_entry(tmp_path, "de", LINES[1])
    assert last(tmp_path, "2", "/c") is None  # rendered before the journal began
    assert last(tmp_path, "other", "/a") is None


def test_a_line_that_a_power_cut_left_half_costs_itself_alone(tmp_path: Path) -> None:
    append_entry(tmp_path, "de", LINES[0])
    append_entry(tmp_path, "de", LINES[1])
    file = tmp_path / "journal/de/builds.jsonl"
    file.write_bytes(file.read_bytes()[:-10])
    append_entry(tmp_path, "de", entry("3", "1"))
    assert [each.build for each in read_entries(tmp_path, "de")] == ["3", "1"]


def test_a_line_with_a_cause_of_a_version_to_come_is_passed_over_whole(tmp_path: Path) -> None:
    for each in LINES[:2]:
        append_entry(tmp_path, "de", each)
    file = tmp_path / "journal/de/builds.jsonl"
    kept = file.read_bytes()
    assert kept.count(b'[["page"') == 1
    file.write_bytes(kept.replace(b'[["page"', b'[["moon"'))
    assert [each.build for each in read_entries(tmp_path, "de")] == ["1"]


def test_a_journal_does_not_grow_for_ever(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(journal, "_MOST_BYTES", 1_000)
    for number in range(1, 41):
        append_entry(tmp_path, "de", entry(str(number), str(number - 1), pages={f"/{number}": (OWN,)}))
    assert sum(file.stat().st_size for file in (tmp_path / "journal/de").iterdir()) <= 2_000
    assert last(tmp_path, "40", "/40")
    assert last(tmp_path, "40", "/35"), "the older half is still there"
    assert last(tmp_path, "40", "/1") is None


def test_a_publish_notes_what_it_renders_and_why(
    make_publisher: MakePublisher, book: ReleaseBook, tmp_path: Path
) -> None:
    builds, publisher = tmp_path / "builds", make_publisher(FakeRenderer())
    book.release()
    publisher.publish()
    book.content["de", "page", "about"]["blocks"][0]["title"] = "Another"
    book.content["en", "office", "london"] = office("London", "+44 1", 1, ["default", "uk"])
    book.release()
    publisher.publish()
    publisher.publish()
    newest = {site: next(read_entries(builds, site)) for site in ("en", "de", "ae")}
    assert (newest["de"].release, newest["de"].since) == (2, 1)
    assert newest["de"].pages == {"/about-us": (OWN,)}
    assert newest["en"].every == (Reason(Cause.FRAME, None, ("offices",)),)
    assert newest["ae"].every == (FIRST,)
    assert len(list(read_entries(builds, "de"))) == 2, "a publish that renders nothing says nothing"


def test_going_back_says_by_whom_and_keeps_the_reasons(
    make_publisher: MakePublisher, book: ReleaseBook, tmp_path: Path
) -> None:
    builds, publisher = tmp_path / "builds", make_publisher(FakeRenderer())
    book.release()
    publisher.publish()
    book.content["de", "page", "about"]["blocks"][0]["title"] = "Another"
    book.release()
    publisher.publish()
    publisher.go_back(1, by="anna")
    found = last(builds, read_live(builds).builds["de"], "/about-us")
    assert found
    assert found.reasons == (FIRST,)
    assert found.back
    assert found.back.by == "anna"
