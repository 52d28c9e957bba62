"""The database that new installations on SQLite start with equals the result of all migrations, and lists them
correctly.
"""

import re
import sqlite3
import stat
from contextlib import closing
from importlib.metadata import version
from pathlib import Path

import pytest
from django.apps import apps as django_apps

from portolan.config import empty_database
from portolan.config.empty_database import SQL, begin_database
from portolan.releases.database_version import KNOWN, Migration, compare
from portolan_dev import empty_database as writing
from portolan_dev.empty_database import is_current, makes_the_same


@pytest.fixture
def of_the_test(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Copy the file, so that a test may change it."""
    sql = tmp_path / SQL.name
    sql.write_bytes(SQL.read_bytes())
    monkeypatch.setattr(empty_database, "SQL", sql)
    monkeypatch.setattr(writing, "SQL", sql)
    return sql


def test_it_was_written_from_the_migrations_of_today_and_is_as_it_was_written() -> None:
    """`portolan empty-database` compares it with the database that all migrations have made."""
    assert is_current()


@pytest.mark.parametrize(
    ("pattern", "now"),
    [
        (r"DEFAULT", "default"),
        (r"CREATE INDEX .*\n", ""),
        (r"\Z", "INSERT INTO more VALUES (1);\n"),
        (r"-- Made of: \w", "-- Made of: x"),
        (r"-- Holds: \w", "-- Holds: x"),
        (r"-- Holds: .*\n", ""),
        (r"(?s).*", ""),
    ],
)
def test_what_was_changed_by_hand_is_seen(of_the_test: Path, pattern: str, now: str) -> None:
    changed, count = re.subn(pattern, now, of_the_test.read_text("utf-8"), count=1)
    of_the_test.write_text(changed, "utf-8")
    assert (count, is_current()) == (1, False)


def test_other_migrations_and_other_packages_are_seen(of_the_test: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as changed:
        changed.setattr(writing, "KNOWN", {**KNOWN, "leads": KNOWN["leads"] | {"9999_more"}})
        assert not is_current()
    with monkeypatch.context() as changed:
        changed.setattr(writing, "version", lambda package: f"{version(package)}.post1")
        assert not is_current()
    migrations = of_the_test.parent / "backend" / "portolan" / "leads" / "migrations"
    migrations.mkdir(parents=True)
    with monkeypatch.context() as changed:
        changed.setattr(writing, "ROOT", of_the_test.parent)
        (migrations / "0001_initial.py").write_text("operations = []")
        assert not is_current()
    assert is_current()


@pytest.mark.parametrize(
    "more",
    [
        "CREATE TABLE more (id integer)",
        "CREATE INDEX more ON leads_lead (id)",
        "INSERT INTO auth_group (name) VALUES ('more')",
        "DELETE FROM sqlite_sequence WHERE name = 'wagtailcore_page'",
        "PRAGMA user_version = 2",
    ],
)
def test_what_the_file_leaves_out_is_seen_when_it_is_written(tmp_path: Path, more: str) -> None:
    assert begin_database(tmp_path / "begun.sqlite3", "de-de")
    with closing(sqlite3.connect(tmp_path / "begun.sqlite3", isolation_level=None)) as database:
        assert makes_the_same(database)
        database.execute(more)
        assert not makes_the_same(database)


def test_it_has_had_every_migration_and_is_nobody_elses_to_read(tmp_path: Path) -> None:
    file = tmp_path / "var" / "begun.sqlite3"
    assert begin_database(file, "en")
    with closing(sqlite3.connect(file)) as database:
        applied = database.execute("SELECT app, name FROM django_migrations").fetchall()
    assert compare((Migration(*row) for row in applied), KNOWN) == ([], [])
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert [*file.parent.iterdir()] == [file]


def test_every_app_with_migrations_is_known_to_upgrades(tmp_path: Path) -> None:
    """An app that is missing in `database_version` would silently stay without its migrations."""
    begin_database(tmp_path / "begun.sqlite3", "en")
    with closing(sqlite3.connect(tmp_path / "begun.sqlite3")) as database:
        apps = {app for (app,) in database.execute("SELECT DISTINCT app FROM django_migrations")}
    assert apps == {
        config.label for config in django_apps.get_app_configs() if Path(config.path, "migrations").is_dir()
    }
    assert apps == {*KNOWN}


def test_two_databases_share_no_key(tmp_path: Path) -> None:
    keys = set()
    for name in ("one", "two"):
        begin_database(tmp_path / name, "en")
        with closing(sqlite3.connect(tmp_path / name)) as database:
            keys.update(database.execute("SELECT translation_key FROM wagtailcore_page").fetchall())
    assert len(keys) == 4


def test_a_database_that_is_there_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "there").write_bytes(b"")
    assert not begin_database(tmp_path / "there", "en")
    assert (tmp_path / "there").read_bytes() == b""


def test_where_this_version_lacks_a_migration_of_it_nothing_is_made(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(empty_database, "KNOWN", {**KNOWN, "leads": frozenset({"0001_initial"})})
    assert not begin_database(tmp_path / "begun.sqlite3", "en")
    assert [*tmp_path.iterdir()] == []


def test_one_of_before_is_made_and_migrated_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lines = SQL.read_text("utf-8").splitlines()
    older = [line for line in lines if "'where_to_register'" not in line and "'0013_where_to_register'" not in line]
    assert len(older) == len(lines) - 1
    monkeypatch.setattr(empty_database, "SQL", tmp_path / "older.sql")
    (tmp_path / "older.sql").write_text("\n".join(older), encoding="utf-8")
    assert begin_database(tmp_path / "begun.sqlite3", "en")
    with closing(sqlite3.connect(tmp_path / "begun.sqlite3")) as database:
        applied = database.execute("SELECT app, name FROM django_migrations").fetchall()
    missing = compare((Migration(*row) for row in applied), KNOWN).missing
    assert missing == [Migration("content", "0013_where_to_register")], "`migrate` does the rest"
