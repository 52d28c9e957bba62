import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

from portolan.builds.compress import Compressor
from portolan.builds.manifest import manifest_path
from portolan.builds.store import ContentStore, digest_of
from portolan.commands import sign, verify
from portolan.config.env import Env

from ..builds.conftest import Build, build, root
from ..builds.test_signing import OURS, pem, public_pem
from ..builds.test_verify import damage
from ..publisher.release_book import ReleaseBook, page

__all__ = ["build", "root"]


INDEX = "The index of the newest release matches its items.\n"


@pytest.fixture(autouse=True)
def book(root: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[ReleaseBook]:
    """The database of the installation with builds in ``root``."""
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
    assert (result.exit_code, result.output) == (0, f"2 builds checked: all files are as published.\n{INDEX}")


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
    assert "1 problem in 2 builds: files differ from the published ones" in result.output


def test_a_site_that_is_not_live_is_named(build: Build) -> None:
    build("a", {"/": "home"})
    result = CliRunner().invoke(verify.command, ["--site", "fr"])
    assert result.exit_code == 1
    assert "Not live, so there are no builds to check: fr" in result.output


def test_what_can_be_fixed_is_fixed_when_asked(root: Path, build: Build) -> None:
    text = "home " * 100
    build("a", {"/": text})
    Compressor(root).work()
    damage(Path(ContentStore(root).path(digest_of(text.encode()))))
    result = CliRunner().invoke(verify.command)
    assert result.exit_code == 1
    assert "Repair files from copies: `portolan verify --mend`" in result.output
    result = CliRunner().invoke(verify.command, ["--mend"])
    assert result.exit_code == 0
    assert result.output.startswith("1 damaged file or copy was repaired.\n")


def test_what_is_kept_is_signed_when_the_key_is_new(
    root: Path, build: Build, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    build("a", {"/": "home"})
    build("b", {"/": "home 2"})
    private, public = tmp_path / "signing.pem", tmp_path / "publisher.pem"
    private.write_bytes(pem(OURS))
    public.write_bytes(public_pem(OURS))
    monkeypatch.setattr(sign, "env", lambda: Env(var_dir=root.parent))
    result = CliRunner().invoke(sign.command)
    assert (result.exit_code, "PORTOLAN_SIGNING_KEY_FILE" in result.output) == (1, True)
    monkeypatch.setattr(verify, "env", lambda: Env(var_dir=root.parent, publisher_keys_file=public))
    assert "not signed; if the publisher's key is new" in CliRunner().invoke(verify.command).output
    monkeypatch.setattr(sign, "env", lambda: Env(var_dir=root.parent, signing_key_file=private))
    build("a", {"/": "home"}, site="de")
    manifest_path(root, "de", "a").write_text(manifest_path(root, "de", "a").read_text().replace('"web"', '"wob"'))
    result = CliRunner().invoke(sign.command)
    assert result.exit_code == 1
    assert "2 builds signed with the key" in result.output
    assert CliRunner().invoke(verify.command, ["--site", "en"]).exit_code == 0
