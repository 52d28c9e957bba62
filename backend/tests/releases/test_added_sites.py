"""The copy of added sites is renewed from the database, and kept if there is no usable one."""

import json
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from portolan.releases.added_sites import copy_added_sites

ITALY = {"language": "it-IT"}


def make(file: Path, table: str, *rows: tuple[str, str]) -> str:
    with closing(sqlite3.connect(file)) as database, database:
        database.execute(f"CREATE TABLE {table} (key TEXT, config TEXT, added_at TEXT)")
        database.executemany(f"INSERT INTO {table} VALUES (?, ?, '2026')", rows)
    return f"sqlite:///{file}"


def test_the_copy_has_the_rows_of_the_database(tmp_path: Path) -> None:
    copy = tmp_path / "var" / "added-sites.json"
    copy_added_sites(make(tmp_path / "db", "content_addedsite", ("it", json.dumps(ITALY))), copy)
    assert json.loads(copy.read_text(encoding="utf-8")) == {"it": ITALY}
    copy_added_sites(make(tmp_path / "empty", "content_addedsite"), copy)
    assert json.loads(copy.read_text(encoding="utf-8")) == {}


@pytest.mark.parametrize("database", ["away", "old", "damaged row"])
def test_the_copy_is_kept_without_a_usable_database(tmp_path: Path, database: str) -> None:
    copy = tmp_path / "added-sites.json"
    copy.write_text(json.dumps({"it": ITALY}), encoding="utf-8")
    urls = {
        "away": lambda: f"sqlite:///{tmp_path}/none",
        "old": lambda: make(tmp_path / "db", "content_other"),
        "damaged row": lambda: make(tmp_path / "db", "content_addedsite", ("it", "{")),
    }
    copy_added_sites(urls[database](), copy)
    assert json.loads(copy.read_text(encoding="utf-8")) == {"it": ITALY}
