"""Only the user who runs the product may read the database."""

import os
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.db.backends.sqlite3.base import DatabaseWrapper

from portolan.commands import server
from portolan.config import private_database
from portolan.config.secret_key import load_secret_key
from portolan.config.settings import _database


@pytest.fixture(autouse=True)
def usual_umask() -> Iterator[None]:
    before = os.umask(0o022)
    yield
    os.umask(before)


def write_row(path: Path) -> DatabaseWrapper:
    connection = DatabaseWrapper({**_database(f"sqlite:///{path}"), "TIME_ZONE": None, "AUTOCOMMIT": True}, "other")
    connection.connect()
    with connection.cursor() as cursor:
        cursor.execute("CREATE TABLE IF NOT EXISTS leads (name TEXT)")
        cursor.execute("INSERT INTO leads VALUES ('somebody')")
    return connection


def modes(folder: Path) -> dict[str, str]:
    return {file.name: stat.filemode(file.stat().st_mode) for file in folder.iterdir()}


@pytest.mark.django_db
def test_a_new_database_is_its_owners_alone(tmp_path: Path) -> None:
    connection = write_row(tmp_path / "new.sqlite3")
    assert modes(tmp_path) == dict.fromkeys(["new.sqlite3", "new.sqlite3-wal", "new.sqlite3-shm"], "-rw-------")
    connection.close()


@pytest.mark.django_db
def test_one_that_everybody_could_read_is_closed_when_it_is_opened(tmp_path: Path) -> None:
    first = write_row(tmp_path / "old.sqlite3")  # stays open, so that its log is kept
    for file in tmp_path.iterdir():
        file.chmod(0o644)
    second = write_row(tmp_path / "old.sqlite3")
    assert set(modes(tmp_path).values()) == {"-rw-------"}
    second.close()
    first.close()


def test_one_of_another_user_is_named_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    file = tmp_path / "theirs.sqlite3"
    file.touch()

    def refuse(*_: object) -> None:
        raise PermissionError

    monkeypatch.setattr(os, "chmod", refuse)
    for _ in range(2):
        private_database.close_to_others(str(file))
    assert caplog.text.count(f"can read {file}") == 1


def test_the_folder_we_make_for_it_is_closed(tmp_path: Path) -> None:
    load_secret_key(tmp_path / "by-settings")
    server.check_var_dir(tmp_path / "by-serve")
    assert set(modes(tmp_path).values()) == {"drwx------"}
