"""The history of publishing: the facts of each publish, joined from records, releases, journals and edges' reports."""

import json
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from click.testing import CliRunner

from portolan.builds.edge_reports import append_report, read_reports
from portolan.builds.hosts import build_hosts, write_hosts
from portolan.commands import history as command
from portolan.config.env import Env
from portolan.edge.live_sites import LiveSites
from portolan.publisher.history import History, group_pages
from portolan.publisher.publish_records import PublishRecord, append_record, read_records
from portolan.publisher.reasons import Cause
from portolan.publisher.stages import STAGES
from portolan.releases.reader import ReleaseReader, open_reader
from portolan.sites.registry import Registry

from .conftest import MakePublisher
from .release_book import ReleaseBook


@pytest.fixture
def reader(book: ReleaseBook) -> Iterator[ReleaseReader]:
    reader = open_reader(book.url)
    yield reader
    reader.close()


def test_tells_of_each_publish_who_why_and_how_long(
    book: ReleaseBook, make_publisher: MakePublisher, reader: ReleaseReader, tmp_path: Path
) -> None:
    publisher = make_publisher()
    book.release(by="seed")
    publisher.publish()
    book.content["de", "page", "about"]["blocks"][0]["title"] = "Neu"
    book.release(by="Anna")
    book.content["de", "page", "web"]["blocks"][0]["title"] = "Netz"
    book.release(by="Ben")
    saved = datetime.now(UTC) - timedelta(seconds=5)
    publisher.publish(saved=saved.isoformat())
    publisher.publish()  # without changes, there is no record
    edit, first = History(tmp_path / "builds", reader).newest(10)
    assert (edit.authors, edit.record.release, edit.record.since) == (("Ben", "Anna"), 3, 1)
    assert [*edit.record.builds] == ["de"]
    assert {path: reasons[0].cause for path, reasons in edit.rendered["de"].pages.items()} == {
        "/about-us": Cause.PAGE,
        "/services/web-development": Cause.PAGE,
    }
    assert edit.to_live_s is not None and 5 <= edit.to_live_s < 60
    assert set(edit.record.stages) == set(STAGES) - {"freeze"}  # the release worker had no work
    assert first.authors == ("seed",)
    assert [(group.paths, group.reasons[0].cause) for group in group_pages(first.rendered["en"])] == [((), Cause.FIRST)]
    assert (edit.pages, first.pages) == (2, None)


def test_going_back_is_told_with_who_did(
    book: ReleaseBook, make_publisher: MakePublisher, reader: ReleaseReader, tmp_path: Path
) -> None:
    publisher = make_publisher()
    book.release(by="seed")
    publisher.publish()
    book.content["de", "page", "about"]["blocks"][0]["title"] = "Neu"
    book.release(by="Anna")
    publisher.publish()
    publisher.go_back(1, by="Carla")
    back = History(tmp_path / "builds", reader).newest(1)[0]
    assert (back.authors, back.record.release, back.record.since, back.to_live_s) == (("Carla",), 1, 2, None)
    assert [*back.record.builds] == ["de"]


def test_an_edge_tells_when_it_served_a_build(
    book: ReleaseBook, make_publisher: MakePublisher, reader: ReleaseReader, registry: Registry, tmp_path: Path
) -> None:
    builds = tmp_path / "builds"
    publisher = make_publisher()
    book.release()
    publisher.publish()
    write_hosts(builds, build_hosts(registry, "local", 8000))
    history = History(builds, reader)
    assert history.newest(1)[0].reached == {}
    now = [0.0]
    LiveSites(builds, lambda: now[0]).look()  # one that sends no reports
    assert history.newest(1)[0].reached == {}
    edge = LiveSites(builds, lambda: now[0], edge="edge-1")
    edge.look()
    assert [*history.newest(1)[0].reached] == ["edge-1"]
    book.content["de", "page", "about"]["blocks"][0]["title"] = "Neu"
    book.release()
    publisher.publish()
    now[0] = 1.0
    edge.look()
    assert [set(report.builds) for report in read_reports(builds)] == [{"ae", "de", "en"}, {"de"}]
    found = history.newest(1)[0]
    assert found.to_fetched_s is not None and found.to_live_s is not None and found.to_fetched_s >= found.to_live_s


def test_an_edge_that_served_a_later_build_has_this_one_too(tmp_path: Path, reader: ReleaseReader) -> None:
    root = tmp_path / "builds"
    at = "2026-11-24T10:00:00.000+00:00"
    append_record(root, PublishRecord(at, 1, builds={"de": "20261124-100000-9-aa"}))
    append_report(root, "early", {"de": "20261124-095900-8-ff"})
    append_report(root, "late", {"de": "20261124-100000-10-00"})
    assert [*History(root, reader).newest(1)[0].reached] == ["late"]


def test_an_edge_without_the_right_to_write_serves_all_the_same(
    book: ReleaseBook, make_publisher: MakePublisher, registry: Registry, tmp_path: Path
) -> None:
    builds = tmp_path / "builds"
    book.release()
    make_publisher().publish()
    write_hosts(builds, build_hosts(registry, "local", 8000))
    (builds / "edges").write_text("no folder")
    edge = LiveSites(builds, edge="edge-1")
    edge.look()
    assert edge.site("de")


def test_a_damaged_record_costs_itself_alone(tmp_path: Path) -> None:
    for release in (1, 2):
        append_record(tmp_path, PublishRecord("2026-11-24T10:00:00.000+00:00", release))
        with (tmp_path / "publishes.jsonl").open("ab") as file:
            file.write(b'\n{"release": 3}\n{"at": "half')
    assert [record.release for record in read_records(tmp_path)] == [2, 1]


def test_the_command_says_it_to_people_and_programs(
    book: ReleaseBook, make_publisher: MakePublisher, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = Env(var_dir=tmp_path, database_url=book.url)
    monkeypatch.setattr(command, "env", lambda: settings)
    publisher = make_publisher()
    book.release(by="seed")
    publisher.publish()
    book.content["de", "page", "about"]["blocks"][0]["title"] = "Neu"
    book.release(by="Anna")
    publisher.publish()
    append_record(tmp_path / "builds", PublishRecord("2026-11-24T10:00:00.000+00:00", 0, failure="The disk is full."))
    said = CliRunner().invoke(command.command, [])
    assert said.exit_code == 0, said.output
    assert "Failed: The disk is full." in said.output
    assert "Release 2, by Anna" in said.output
    assert "The page itself was changed" in said.output
    assert "all pages" in said.output
    found = json.loads(CliRunner().invoke(command.command, ["--json", "-n", "2"]).output)
    assert [each["by"] for each in found] == [[], ["Anna"]]
    assert found[1]["pages"]["de"][0]["paths"] == ["/about-us"]
    assert found[1]["pages"]["de"][0]["reasons"][0]["cause"] == "page"
