"""Which old data is kept, and when a removed site is deleted."""

from datetime import UTC, datetime, timedelta
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import orjson
import pytest

from portolan.builds.live import NOTHING_LIVE, Installation, LivePointer, read_live
from portolan.publisher import retention
from portolan.publisher.housekeeping import Housekeeping
from portolan.publisher.retention import find_floor, remove_left_sites
from portolan.releases.ids import ItemId
from portolan.sites.retention import Retention

from .conftest import MakePublisher
from .release_book import ReleaseBook

NOW = datetime(2026, 11, 24, tzinfo=UTC)


def test_what_was_live_last_is_kept_for_a_machine_without_builds() -> None:
    reader = reader_of(100)
    shows = {"release": 90, "held": [["en", "page", "a", 12]], "since": "", "by": "", "is_whole": False}
    reader.last_live = lambda: [("en", orjson.dumps(shows).decode())]
    reader.exists = lambda release: True
    assert find_floor(reader, NOTHING_LIVE, 1, NOW) == 12


def reader_of(latest: int | None, first: int = 1) -> Any:
    """Return a reader with one release a day, the newest today."""

    def created_at(number: int) -> datetime | None:
        return NOW - timedelta(days=(latest or 0) - number) if first <= number <= (latest or 0) else None

    return SimpleNamespace(latest=lambda: latest, created_at=created_at, last_live=list)


def pointer_of(*releases: int, blocked: int = 0, installation: int = 100) -> LivePointer:
    shown = {f"s{number}": release for number, release in enumerate(releases)}
    back = {"s0": {ItemId("s0", "page", "a"): blocked}} if blocked else {}
    return LivePointer({}, shown, back, {}, Installation(False, installation, "", ""), {})


@pytest.mark.parametrize(
    ("days", "latest", "pointer", "floor"),
    [
        (0, 100, pointer_of(100), None),
        (30, None, pointer_of(), None),
        (60, 100, pointer_of(100), 40),
        (10, 100, pointer_of(100), 61),
        (1_000, 100, pointer_of(100), 1),
        (60, 100, pointer_of(100, 20), 20),
        (60, 100, pointer_of(100, blocked=7), 7),
        (60, 100, pointer_of(100, blocked=0, installation=30), 30),
        (60, 10, pointer_of(10, installation=10), 1),
    ],
)
def test_nothing_that_is_shown_goes_nor_the_last_forty_releases(
    monkeypatch: pytest.MonkeyPatch, days: int, latest: int | None, pointer: LivePointer, floor: int | None
) -> None:
    monkeypatch.setattr(retention, "_ALWAYS_KEPT", 40)
    assert find_floor(reader_of(latest), pointer, days, NOW) == floor


def test_releases_that_were_pruned_before_count_as_old(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(retention, "_ALWAYS_KEPT", 1)
    assert find_floor(reader_of(100, first=80), pointer_of(100), 60, NOW) == 80
    assert find_floor(reader_of(100), pointer_of(100), 1, NOW + timedelta(days=9)) == 100, "the newest one stays"


def test_a_site_that_left_is_kept_for_a_while_and_then_gone(
    book: ReleaseBook, make_publisher: MakePublisher, tmp_path: Path
) -> None:
    builds = tmp_path / "builds"
    book.release()
    make_publisher().publish()
    day = NOW.date()

    def look(*sites: str, days_later: int = 0) -> list[str]:
        return remove_left_sites(builds, sites, 3, day + timedelta(days=days_later))

    assert look("en", "de", "ae") == look("en", "de") == []
    assert look("en", "de", "ae") == [], "it was a mistake"
    assert look("en", "de", days_later=400) == [], "a clock that is wrong for a while counts as one day"
    assert [look("en", "de", days_later=n) for n in (0, 0, 1)] == [[], [], []]
    assert read_live(builds).builds.keys() == {"en", "de", "ae"}
    assert look("en", "de", days_later=2) == ["ae"]
    pointer = read_live(builds)
    assert pointer.builds.keys() == pointer.releases.keys() == {"en", "de"}
    assert not [folder for folder in ("manifests", "inputs", "journal") if (builds / folder / "ae").exists()]
    assert len(make_publisher().publish().sites) == 3, "whoever comes back begins anew"


def test_housekeeping_keeps_what_the_registry_says(
    book: ReleaseBook, make_publisher: MakePublisher, tmp_path: Path
) -> None:
    builds = tmp_path / "builds"
    publisher = make_publisher()
    for number in range(5):
        book.content["de", "page", "about"]["blocks"][0]["title"] = f"Title {number}"
        book.release()
        publisher.publish()
    tidied: list[str] = []
    kept = Retention(builds=2, build_days=0)
    Housekeeping(
        builds,
        tmp_path / "media",
        retention=kept,
        sites=["en", "de", "ae"],
        tidy_database=lambda: tidied.append("database"),
    ).prune()
    left = sorted(path.stem for path in (builds / "manifests" / "de").glob("*.json"))
    assert read_live(builds).builds["de"] in left
    assert len(left) <= 5
    assert tidied == ["database"]
    assert read_live(builds).builds.keys() == {"en", "de", "ae"}
