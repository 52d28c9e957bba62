"""What new installations on SQLite begin with is what all migrations make, and never lies about which those were."""

import os
import sqlite3
import stat
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest
from django.apps import apps as django_apps

from portolan.config import empty_database
from portolan.config.empty_database import SQL, begin_database
from portolan.releases.database_version import KNOWN, Migration, compare
from portolan.starter.countries import COUNTRY_SITES
from portolan.starter.project import Answers, build_project, write_project
from portolan_dev.empty_database import dump
from testing.migrated import CACHE, fingerprint

MIGRATE = "from portolan.commands.main import main; main(['django', 'migrate', '--verbosity', '0', '--skip-checks'])"
PRAGMAS = ("encoding", "page_size", "auto_vacuum", "user_version", "application_id")


@pytest.fixture
def migrated(tmp_path: Path) -> Path:
    """A database that all migrations have made, of a company whose default site is German. It takes a quarter of a minute, so
    it is kept until a migration or a pinned package changes."""
    kept = CACHE / f"{fingerprint()}.sqlite3"
    if not kept.exists():
        CACHE.mkdir(parents=True, exist_ok=True)
        project = tmp_path / "project"
        project.mkdir()
        answers = Answers(
            "Acme", "acme", (COUNTRY_SITES["de"],), "acme.example", "#4f9cff", "#0b1220", "none", None, 2020
        )
        write_project(project, build_project(answers))
        own = {"DATABASE_URL": f"sqlite:///{tmp_path / 'migrated.sqlite3'}", "PORTOLAN_VAR_DIR": str(project / "var")}
        own["PORTOLAN_SITES_FILE"] = str(project / "sites.toml")
        subprocess.run([sys.executable, "-c", MIGRATE], env={**os.environ, **own}, check=True)
        for old in (*CACHE.glob("*.sqlite3"), *CACHE.glob("*.unfinished")):
            old.unlink()
        with closing(sqlite3.connect(tmp_path / "migrated.sqlite3")) as database:
            database.execute("VACUUM INTO ?", (str(kept.with_suffix(".unfinished")),))
        kept.with_suffix(".unfinished").replace(kept)
    return kept


def look(file: Path) -> tuple[list[str], list[tuple[str]], list[object]]:
    """Tables and rows, the language, settings."""
    with closing(sqlite3.connect(file)) as database:
        settings = [database.execute(f"PRAGMA {name}").fetchone()[0] for name in PRAGMAS]
        languages = database.execute("SELECT language_code FROM wagtailcore_locale").fetchall()
        return list(dump(database)), languages, settings


def test_it_is_what_all_migrations_make(migrated: Path, tmp_path: Path) -> None:
    assert begin_database(tmp_path / "begun.sqlite3", "de-de")
    assert look(tmp_path / "begun.sqlite3") == look(migrated)


def test_it_has_had_every_migration_and_is_nobody_elses_to_read(tmp_path: Path) -> None:
    file = tmp_path / "var" / "begun.sqlite3"
    assert begin_database(file, "en")
    with closing(sqlite3.connect(file)) as database:
        applied = database.execute("SELECT app, name FROM django_migrations").fetchall()
    assert compare((Migration(*row) for row in applied), KNOWN) == ([], [])
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert [*file.parent.iterdir()] == [file]


def test_every_app_with_migrations_is_known_to_upgrades(tmp_path: Path) -> None:
    """One that is missing in `database_version` would be migrated by nobody, and nothing would say so."""
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
