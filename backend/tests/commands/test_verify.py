import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

from portolan.builds.store import ContentStore, digest_of
from portolan.commands import verify
from portolan.config.env import Env

from ..builds.conftest import Build, build, root
from ..publisher.release_book import ReleaseBook, page

__all__ = ["build", "root"]


INDEX = "The index of the newest release says what its items do.\n"


@pytest.fixture(autouse=True)
def book(root: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[ReleaseBook]:
    """The database of the installation whose builds are in ``root``."""
    monkeypatch.setattr(verify, "env", lambda: Env(var_dir=root.parent))
    book = ReleaseBook(root.parent / "portolan.sqlite3")
    book.content["en", "page", "home"] = page("/")
    book.release()
    yield book
    book.close()


def test_whole_builds_pass(build: Build) -> None:
    build("a", {"/": "home"})
    build("a", {"/": "start"}, site="de")
    result = CliRunner().invoke(verify.command)
    assert (result.exit_code, result.output) == (0, f"2 builds checked: every file is as it was published.\n{INDEX}")


def test_an_index_that_differs_from_the_items_is_named(build: Build, book: ReleaseBook) -> None:
    build("a", {"/": "home"})
    with sqlite3.connect(book.file) as connection:
        connection.execute("UPDATE releases_releaseroute SET path = '/elsewhere'")
    connection.close()
    result = CliRunner().invoke(verify.command)
    assert result.exit_code == 1
    assert "/elsewhere" in result.output
    assert "portolan releases index" in result.output


def test_a_damaged_file_of_an_earlier_build_is_found_with_all(root: Path, build: Build) -> None:
    build("a", {"/": "home", "/about-us": "about"})
    build("b", {"/": "home"})
    Path(ContentStore(root).path(digest_of(b"about"))).unlink()
    assert CliRunner().invoke(verify.command).exit_code == 0
    result = CliRunner().invoke(verify.command, ["--all"])
    assert result.exit_code == 1
    assert "en a /about-us" in result.output
    assert "1 files of 2 builds" in result.output


def test_a_site_that_is_not_live_is_named(build: Build) -> None:
    build("a", {"/": "home"})
    result = CliRunner().invoke(verify.command, ["--site", "fr"])
    assert result.exit_code == 1
    assert "Not live, so there is nothing to check: fr" in result.output
