"""PostgreSQL is down before or during a publish: the publisher waits, prints it, and continues by itself."""

import os
import shutil
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path
from typing import IO

import psycopg
import pytest

from portolan.builds.live import read_live
from portolan.releases.last_live import read_last_live
from portolan.releases.reader import open_reader
from portolan.releases.wake import wake

from ..postgres_server import BESIDE_POSTGRES, data_folder, has_postgres, kill, started_again
from ..processes import LIMIT_S, run_program, started, wait_until
from ..publisher.release_book import ReleaseBook
from .test_publish import COMMAND, book

__all__ = ["book"]
_TABLES = (
    "django_migrations",
    "releases_release",
    "releases_releaseitem",
    "releases_releaseroute",
    "releases_releasereference",
    "releases_pendingchange",
)
_SCHEMA = """
CREATE TABLE releases_release (
    number int, created_at timestamptz, created_by text, note text, added int, changed int, removed int
);
CREATE TABLE releases_releaseitem (
    id int, site text, kind text, key text, digest text, body bytea, since int, until int, format int
);
CREATE TABLE releases_releaseroute (
    id int, site text, key text, path text, template text, title text, parent text, changed text, switcher_hidden int,
    fallback text, since int, until int
);
CREATE TABLE releases_releasereference (
    id int, site text, kind text, key text, target_kind text, target_key text, since int, until int
);
CREATE TABLE releases_pendingchange (id int, site text, kind text, key text, noted_at timestamptz, problem text);
CREATE TABLE releases_liverequest (id int, release int, "by" text, done_at timestamptz);
CREATE TABLE django_migrations (app text, name text);
CREATE TABLE releases_lastlive (site text PRIMARY KEY, shows text);
CREATE TABLE releases_moment (at timestamptz);
CREATE TABLE content_changeset (go_live_at timestamptz, state text);
CREATE TABLE wagtailcore_revision (approved_go_live_at timestamptz);
CREATE TABLE wagtailcore_page (live boolean, expire_at timestamptz);
"""
pytestmark = pytest.mark.skipif(not has_postgres(), reason="PostgreSQL: no server binaries found")


@pytest.fixture
def url() -> Iterator[str]:
    """Return the URL of a server that runs until the end of the test or a kill."""
    code = "import os, sys; print(os.environ['DATABASE_URL'], flush=True); sys.stdin.read()"
    command = [sys.executable, str(BESIDE_POSTGRES), sys.executable, "-c", code]
    with started(command, within_s=240, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as beside:
        assert beside.stdout
        assert beside.stdin
        url = beside.stdout.readline().strip()
        with psycopg.connect(url, autocommit=True) as connection:
            connection.execute(_SCHEMA)
        yield url
        beside.stdin.close()
        beside.wait(LIMIT_S)


def copy(book: ReleaseBook, url: str) -> None:
    """The book's releases, in one transaction."""
    with sqlite3.connect(book.file) as source, psycopg.connect(url) as target:
        target.execute("SET synchronous_commit = on")  # it is about to be killed
        for table in _TABLES:
            rows = source.execute(f"SELECT * FROM {table}").fetchall()
            target.execute(f"DELETE FROM {table}")
            if rows:
                places = ", ".join(["%s"] * len(rows[0]))
                with target.cursor() as cursor:
                    cursor.executemany(f"INSERT INTO {table} VALUES ({places})", rows)
    source.close()


def read_until(output: IO[str], words: str) -> list[str]:
    """Read lines up to the one with these words. If the output ends first, fail with all lines."""
    lines: list[str] = []
    for line in output:
        lines.append(line)
        if words in line:
            return lines
    raise AssertionError("".join(lines))


def wait_until_up(url: str) -> None:
    def is_up() -> bool:
        with suppress(psycopg.OperationalError):
            psycopg.connect(url).close()
            return True
        return False

    wait_until(is_up)


def test_edits_go_live_whenever_the_database_was_away(url: str, book: ReleaseBook, tmp_path: Path) -> None:
    variables = {**os.environ, "PORTOLAN_VAR_DIR": str(tmp_path), "DATABASE_URL": url}
    data = data_folder(url)
    copy(book, url)
    kill(data)
    with started([*COMMAND, "--watch"], within_s=150, env=variables, stderr=subprocess.PIPE) as process:
        assert process.stderr
        said = process.stderr.readline()
        assert "The database cannot be reached" in said
        assert "new edits wait" in said
        with started_again(data):
            read_until(process.stderr, "release 1 live in")
            wait_until_up(url)
            kill(data)
        with started_again(data):
            wait_until_up(url)
            book.content["ae", "page", "web"]["blocks"][0]["title"] = "New words"
            book.release()
            copy(book, url)
            assert wake(tmp_path / "publisher.sock")
            assert "release 2 live in" in process.stderr.readline(), "restarted while nobody asked: nobody notices"
            process.send_signal(signal.SIGTERM)
            assert process.wait(LIMIT_S) == 0
            with closing(open_reader(url)) as reader:
                assert {shown.release for shown in read_last_live(reader).values()} == {2}
            book.content["fr", "page", "about"]["blocks"][0]["picture"] = {"$picture": "9", "alt": ""}
            book.release()
            copy(book, url)
            shutil.rmtree(tmp_path / "builds")
            alone = run_program([*COMMAND, "--keep-going"], env=variables, timeout_s=120)
            assert "Blocked: fr, “About fr” (/about-us)" in alone.stdout
            assert len(read_live(tmp_path / "builds").builds) == 8, "the database alone says what was live"
