"""``portolan publish`` as a process, with the real render worker."""

import os
import signal
import subprocess
from collections.abc import Iterator
from datetime import date
from pathlib import Path

import pytest

from portolan.builds.hosts import read_hosts
from portolan.builds.live import read_live
from portolan.builds.manifest import read_manifest
from portolan.builds.store import ContentStore
from portolan.commands.release_making import snapshot_pending
from portolan.commands.release_worker import DjangoReleaseWorker
from portolan.config.env import env
from portolan.domain.company import company_age
from portolan.releases.reader import open_reader
from portolan.releases.wake import wake

from ..processes import LIMIT_S, PORTOLAN, run_program, started
from ..publisher.release_book import ReleaseBook, small_site
from ..release_workers import has_ended, release_worker_of

COMMAND = [*PORTOLAN, "publish", "--no-pictures"]
"""Drawing the social images takes as long as all the rest."""


@pytest.fixture
def book(tmp_path: Path) -> Iterator[ReleaseBook]:
    """Make all sites, with facts of today. Otherwise the command would start Django to freeze new ones."""
    book = ReleaseBook(tmp_path / "portolan.sqlite3")
    registry = env().registry
    for site in registry.sites:
        small_site(book, site)
    today = date.today()
    book.content["", "figures", "company"] |= {
        "age": str(company_age(registry.company.founded, today)),
        "year": str(today.year),
    }
    (tmp_path / "media").mkdir()
    (tmp_path / "media" / "harbour.svg").write_text("<svg/>")
    book.release()
    yield book
    book.close()


@pytest.fixture
def variables(tmp_path: Path, book: ReleaseBook) -> dict[str, str]:
    return {**os.environ, "PORTOLAN_VAR_DIR": str(tmp_path), "DATABASE_URL": book.url}


def publish(variables: dict[str, str], *arguments: str) -> "subprocess.CompletedProcess[str]":
    return run_program([*COMMAND, *arguments], env=variables, timeout_s=60)


def test_publishes_all_sites_then_only_what_changed(
    variables: dict[str, str], book: ReleaseBook, tmp_path: Path
) -> None:
    first = publish(variables, "--pictures")
    assert first.returncode == 0, first.stderr
    assert "Release 1 is live: 56 pages rendered" in first.stdout
    before = read_live(tmp_path / "builds").builds
    assert len(before) == 8
    for site, build in before.items():
        assert any(path.endswith(".jpg") for path in read_manifest(tmp_path / "builds", site, build).files)
    book.content["de", "page", "about"]["blocks"][0]["title"] = "Seit 2007"
    book.release()
    second = publish(variables, "--pictures")
    assert "Release 2 is live: 1 page rendered" in second.stdout
    after = read_live(tmp_path / "builds").builds
    assert {site for site in after if after[site] != before[site]} == {"de"}


def test_problems_are_said_and_the_exit_code_tells(
    variables: dict[str, str], book: ReleaseBook, tmp_path: Path
) -> None:
    publish(variables)
    before = read_live(tmp_path / "builds").builds
    book.content["fr", "page", "about"]["blocks"][0]["picture"] = {"$picture": "9", "alt": ""}
    book.content["de", "page", "about"]["blocks"][0]["title"] = "Seit 2007"
    book.release()
    done = publish(variables)
    assert done.returncode == 1
    assert "Nothing went live because of 1 problem" in done.stderr
    assert "fr, “About fr” (/about-us), block 1 (Hero), picture: shows an image that was deleted" in done.stderr
    assert "Traceback" not in done.stderr
    assert read_live(tmp_path / "builds").builds == before
    kept_going = publish(variables, "--keep-going")
    assert kept_going.returncode == 0
    assert "Blocked: fr, “About fr” (/about-us)" in kept_going.stdout
    after = read_live(tmp_path / "builds").builds
    assert {site for site in after if after[site] != before[site]} == {"de"}


def test_sites_without_builds_are_live_whatever_the_exit_code_tells(
    variables: dict[str, str], book: ReleaseBook, tmp_path: Path
) -> None:
    book.content["fr", "page", "about"]["blocks"][0]["picture"] = {"$picture": "9", "alt": ""}
    book.release()
    done = publish(variables)
    assert done.returncode == 1
    assert "These sites show their last live content" in done.stderr
    assert "fr, “About fr” (/about-us), block 1 (Hero), picture: shows an image that was deleted" in done.stderr
    assert len(read_live(tmp_path / "builds").builds) == 8
    assert "Blocked: fr, “About fr” (/about-us)" in publish(variables, "--keep-going").stdout


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"PORTOLAN_WEB_DIST": "/nowhere"}, "There is no usable web build in /nowhere"),
        ({"DATABASE_URL": "sqlite:////nowhere/x.sqlite3"}, "The database cannot be opened"),
    ],
)
def test_what_is_missing_is_named(variables: dict[str, str], changed: dict[str, str], message: str) -> None:
    done = publish(variables | changed)
    assert done.returncode == 1
    assert message in done.stderr
    assert "Traceback" not in done.stderr


def test_watch_publishes_when_woken_and_ends_in_order(
    variables: dict[str, str], book: ReleaseBook, tmp_path: Path
) -> None:
    with started([*COMMAND, "--watch"], env=variables, stderr=subprocess.PIPE) as process:
        assert process.stderr
        try:
            assert "release 1 live in" in process.stderr.readline()
            book.content["ae", "page", "web"]["blocks"][0]["title"] = "New words"
            book.release()
            assert wake(tmp_path / "publisher.sock")
            assert "ae 1 rendered" in process.stderr.readline()
            second = run_program([*COMMAND, "--watch"], env=variables, timeout_s=60)
            assert "Another publisher already listens" in second.stderr
        finally:
            process.send_signal(signal.SIGTERM)
        assert process.wait(LIMIT_S) == 0
        assert process.stderr.read() == ""
    manifest = read_manifest(tmp_path / "builds", "ae", read_live(tmp_path / "builds").builds["ae"])
    html = ContentStore(tmp_path / "builds").read(manifest.files["/services/web-development"].digest)
    assert html and b"New words" in html


def test_watch_follows_the_registry(variables: dict[str, str], book: ReleaseBook, tmp_path: Path) -> None:
    """Only content counts: touching the file changes nothing, and a wrong file is reported and ignored."""
    file = tmp_path / "sites.toml"
    file.write_bytes(env().sites_file.read_bytes())

    def served() -> str:
        assert wake(tmp_path / "publisher.sock")
        return read_hosts(tmp_path / "builds").origins["ae"]

    def edit(old: str, new: str) -> None:
        text = file.read_text(encoding="utf-8")
        assert old in text
        file.write_text(text.replace(old, new), encoding="utf-8")

    def say(title: str) -> None:
        book.content["ae", "page", "web"]["blocks"][0]["title"] = title
        book.release()
        assert wake(tmp_path / "publisher.sock")

    given = variables | {"PORTOLAN_SITES_FILE": str(file)}
    with started([*COMMAND, "--watch"], env=given, stderr=subprocess.PIPE) as process:
        assert process.stderr
        try:
            assert "release 1 live in" in process.stderr.readline()
            release_worker = release_worker_of(process.pid)
            edit("# docs/privacy.md", "# docs/privacy.md, a remark")
            say("One")
            assert "release 2 live in" in process.stderr.readline()
            edit("http://ae.localhost:{port}", "http://arabic.localhost:{port}")
            assert wake(tmp_path / "publisher.sock")
            assert "The sites are updated" in process.stderr.readline()
            assert "release 2 live in" in process.stderr.readline()
            assert served() == "http://arabic.localhost:8000"
            assert has_ended(release_worker)
            assert release_worker_of(process.pid) != release_worker, "one that goes by the new registry"
            edit('dir = "rtl"', 'dir = "up"')
            assert wake(tmp_path / "publisher.sock")
            assert "cannot be used" in process.stderr.readline()
            assert "'up' is not known" in process.stderr.readline()
            assert "the sites use the previous site configuration" in process.stderr.readline()
            say("Two")
            assert "release 3 live in" in process.stderr.readline()
            assert served() == "http://arabic.localhost:8000"
        finally:
            process.send_signal(signal.SIGTERM)
        assert process.wait(LIMIT_S) == 0


@pytest.mark.django_db
def test_figures_of_another_day_make_a_release(book: ReleaseBook) -> None:
    frozen: list[str] = []
    reader = open_reader(book.url)
    registry = env().registry
    today = date.today()

    def is_due(day: date) -> bool:
        before = len(frozen)
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr("portolan.releases.create.create_release", lambda by, today: frozen.append(by))
            snapshot_pending(reader, DjangoReleaseWorker(), registry, day)
        return len(frozen) > before

    assert not is_due(today)
    assert is_due(date(today.year + 1, 1, 1))
    reader.close()
