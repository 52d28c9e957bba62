"""PostgreSQL's database in a backup, with PostgreSQL's tools: from the tests' database into a separate one."""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

import psycopg
import pytest
from django.db import connection

from portolan.backups import postgres_tools
from portolan.backups.database import is_empty, put_postgres, take_snapshot
from portolan.backups.problem import BackupError

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.postgres]


def url_of(name: str) -> str:
    settings: dict[str, Any] = connection.settings_dict
    user, password = quote(settings["USER"] or ""), quote(settings["PASSWORD"] or "")
    host, port = quote(settings["HOST"] or "", safe=""), settings["PORT"] or ""
    return f"postgres://{user}{f':{password}' if password else ''}@/{name}?host={host}{f'&port={port}' if port else ''}"


@pytest.fixture
def other() -> Iterator[str]:
    """The URL of an empty database on the same server."""
    if connection.vendor != "postgresql":
        pytest.skip("the database is SQLite")
    name = f"{connection.settings_dict['NAME']}_restored"  # one for each worker
    with connection._nodb_cursor() as cursor:  # type: ignore[attr-defined]
        cursor.execute(f'DROP DATABASE IF EXISTS "{name}"')
        cursor.execute(f'CREATE DATABASE "{name}"')
    yield url_of(name)
    with connection._nodb_cursor() as cursor:  # type: ignore[attr-defined]
        cursor.execute(f'DROP DATABASE "{name}"')


def test_what_is_dumped_while_others_write_is_of_one_moment_and_comes_back(other: str, tmp_path: Path) -> None:
    ours = url_of(connection.settings_dict["NAME"])
    snapshot = take_snapshot(ours, tmp_path)
    assert snapshot.lead_files == {}
    assert ("leads", "0001_initial") in snapshot.migrations
    assert is_empty(other)
    put_postgres(snapshot.file, other)
    assert not is_empty(other)
    with psycopg.connect(other) as restored:
        rows = restored.execute("SELECT app, name FROM django_migrations ORDER BY id").fetchall()
    assert [(app, name) for app, name in rows] == snapshot.migrations


def test_what_was_there_stays_in_a_schema_of_its_own_and_a_bad_dump_changes_nothing(other: str, tmp_path: Path) -> None:
    with psycopg.connect(other) as before:
        before.execute("CREATE TABLE mine (id integer)")
    (tmp_path / "bad.dump").write_bytes(b"PGDMP no more")
    with pytest.raises(BackupError, match="pg_restore"):
        put_postgres(tmp_path / "bad.dump", other)
    with psycopg.connect(other) as same:
        assert same.execute("SELECT count(*) FROM mine").fetchone() == (0,)
    put_postgres(take_snapshot(url_of(connection.settings_dict["NAME"]), tmp_path).file, other)
    with psycopg.connect(other) as after:
        ((schema,),) = after.execute("SELECT schemaname FROM pg_tables WHERE tablename = 'mine'").fetchall()
    assert str(schema).startswith("replaced_")


def test_a_tool_that_is_too_old_is_named(other: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(BackupError, match=r"Only pg_dump \d+ is installed"):
        postgres_tools.find_program("pg_dump", 99)
    monkeypatch.setattr(postgres_tools, "_find_all", lambda _: [])
    with pytest.raises(BackupError, match="apt-get install postgresql-client-99"):
        postgres_tools.find_program("pg_restore", 99)


def test_no_other_user_sees_the_password(other: str) -> None:
    target, secret = postgres_tools._split("postgres://portolan:geheim@127.0.0.1:5433/portolan?sslmode=require")
    assert "geheim" not in target
    assert "sslmode=require" in target
    assert secret == {"PGPASSWORD": "geheim"}


def test_a_dump_that_is_cut_off_is_noticed_when_it_is_made(
    other: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = postgres_tools.run

    def cut_off(program: postgres_tools.Program, url: str, arguments: list[str], output: Path) -> None:
        run(program, url, arguments, output)
        os.truncate(output, output.stat().st_size * 9 // 10)

    monkeypatch.setattr(postgres_tools, "run", cut_off)
    with pytest.raises(BackupError, match="pg_restore"):
        take_snapshot(url_of(connection.settings_dict["NAME"]), tmp_path)
