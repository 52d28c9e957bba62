"""The meaning of a database's errors for the operator, from any driver and wrapping."""

import sqlite3
from pathlib import Path

import psycopg
import pytest
from django.db import OperationalError as DjangoOperationalError
from psycopg_pool import PoolTimeout

from portolan.releases.database_errors import find_trouble


def wrapped(error: Exception) -> Exception:
    """Return the error as Django raises it."""
    try:
        raise DjangoOperationalError(str(error)) from error
    except DjangoOperationalError as outer:
        return outer


@pytest.mark.parametrize(
    ("error", "words", "is_away"),
    [
        (sqlite3.OperationalError("no such table: releases_release"), "Create them with `portolan upgrade`", False),
        (sqlite3.OperationalError("no such column: x"), "Create them with `portolan upgrade`", False),
        (sqlite3.OperationalError("unable to open database file"), "Create it with `portolan upgrade`", False),
        (sqlite3.OperationalError("database or disk is full"), "disk is full", False),
        (sqlite3.OperationalError("database is locked"), "cannot run queries (database is locked)", True),
        (psycopg.errors.UndefinedTable("relation x does not exist\nLINE 1: …"), "(relation x does not exist).", False),
        (psycopg.errors.DiskFull("could not extend file"), "disk is full", False),
        (psycopg.OperationalError("connection refused"), "Start it, or correct DATABASE_URL", True),
        (psycopg.InterfaceError("the connection is closed"), "cannot be reached", True),
        (PoolTimeout("couldn't get a connection after 2.50 sec"), "cannot be reached", True),
    ],
    ids=lambda value: type(value).__name__ if isinstance(value, Exception) else "",
)
def test_each_is_a_sentence(error: Exception, words: str, is_away: bool) -> None:
    for seen in (error, wrapped(error)):
        trouble = find_trouble(seen)
        assert trouble is not None
        assert words in str(trouble)
        assert "LINE 1" not in str(trouble)
        assert trouble.is_away is is_away


@pytest.mark.parametrize(
    "error",
    [ValueError("x"), sqlite3.IntegrityError("UNIQUE"), psycopg.errors.UniqueViolation("x"), OSError(28, "full")],
)
def test_what_is_no_trouble_of_the_database_is_none(error: Exception) -> None:
    assert find_trouble(error) is None


@pytest.mark.parametrize("query", ["SELECT", "SELECT * FROM t WHERE t MATCH '\"'", "SELECT nothing()"])
def test_a_wrong_query_is_no_trouble_of_the_database(query: str) -> None:
    database = sqlite3.connect(":memory:")
    database.execute("CREATE VIRTUAL TABLE t USING fts5(a)")
    with pytest.raises(sqlite3.OperationalError) as caught:
        database.execute(query)
    database.close()
    assert find_trouble(wrapped(caught.value)) is None


@pytest.mark.parametrize(
    "error", [psycopg.errors.StatementTooComplex("stack depth"), psycopg.errors.TooManyArguments()]
)
def test_a_query_beyond_postgresql_s_limits_is_none_either(error: Exception) -> None:
    assert find_trouble(wrapped(error)) is None


def test_a_missing_file_s_own_error(tmp_path: Path) -> None:
    with pytest.raises(sqlite3.OperationalError) as caught:
        sqlite3.connect(f"file:{tmp_path}/none.sqlite3?mode=ro", uri=True)
    assert "cannot be opened" in str(find_trouble(caught.value))
