"""The command reads the database directly. The test makes a file with the product's tables."""

import json
import sqlite3

import pytest
from click.testing import CliRunner

from portolan.commands import releases as command_module
from portolan.commands.main import main
from portolan.releases.reader import open_reader

TABLES = """
CREATE TABLE releases_release (number, created_at, created_by, note, added, changed, removed);
CREATE TABLE releases_releaseitem (site, kind, key, digest, body, since, until, format DEFAULT 1);
INSERT INTO releases_release VALUES (1, '2026-11-21 02:00:00', 'seed', '', 2, 0, 0), (2, '2026-11-21 03:00:00', 'editor', '', 0, 1, 1);
"""
OFFICE = {"order": 0, "value": {"city": "Dallas", "phone": "1"}}


@pytest.fixture
def run(tmp_path, monkeypatch):
    file = tmp_path / "db.sqlite3"
    moved = {**OFFICE, "value": {**OFFICE["value"], "phone": "2"}}
    with sqlite3.connect(file) as database:
        database.executescript(TABLES)
        database.executemany(
            "INSERT INTO releases_releaseitem (site, kind, key, digest, body, since, until) VALUES (?, ?, ?, ?, ?, ?, ?)",
            [
                ("en", "office", "dallas", "a", json.dumps(OFFICE).encode(), 1, 2),
                ("en", "office", "dallas", "b", json.dumps(moved).encode(), 2, None),
                ("", "picture", "7", "c", json.dumps({"vector": "/media/x/mark.svg"}).encode(), 1, 2),
            ],
        )
    database.close()
    monkeypatch.setattr(command_module, "open_reader", lambda url: open_reader(f"sqlite:///{file}"))

    def call(*arguments: str) -> tuple[int, str]:
        result = CliRunner().invoke(command_module.command, arguments)
        return result.exit_code, result.output

    return call


def test_lists_releases_newest_first(run):
    code, output = run("list")
    assert code == 0
    assert [line.split()[0] for line in output.splitlines()[1:]] == ["2", "1"]
    assert "editor" in output


def test_shows_the_items_of_a_release_by_name(run):
    _, output = run("show", "1")
    assert "Dallas" in output
    assert "mark.svg" in output
    _, output = run("show", "2")
    assert "mark.svg" not in output


def test_shows_fewer_items_where_asked(run):
    _, output = run("show", "1", "--site", "all")
    assert "mark.svg" in output
    assert "Dallas" not in output


def test_shows_one_body(run):
    code, output = run("show", "2", "en", "office", "dallas")
    assert code == 0
    assert json.loads(output)["value"]["phone"] == "2"


def test_names_what_changed_and_in_which_fields(run):
    code, output = run("diff", "1", "2")
    assert code == 0
    assert "value.phone" in output
    assert "0 added, 1 changed, 1 removed" in output


def test_says_when_two_releases_are_the_same(run):
    assert run("diff", "2", "2") == (0, "Releases 2 and 2 are identical.\n")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("show", "9"), "There is no release 9: the newest is 2."),
        (("diff", "1", "9"), "There is no release 9"),
        (
            ("show", "2", "all", "picture", "7"),
            "Release 2 has no item all picture 7. List its items: `portolan releases show 2`",
        ),
        (("show", "2", "en"), "Name an item with three words"),
    ],
)
def test_says_what_is_wrong_and_what_to_do(run, arguments, words):
    code, output = run(*arguments)
    assert code != 0
    assert words in " ".join(output.split())


def test_a_database_that_is_not_there_is_no_trace(tmp_path, monkeypatch):
    monkeypatch.setattr(command_module, "open_reader", lambda url: open_reader(f"sqlite:///{tmp_path / 'none'}"))
    result = CliRunner().invoke(main, ["releases", "list"])
    assert result.exit_code == 1
    assert "Create it with `portolan upgrade`" in result.output
