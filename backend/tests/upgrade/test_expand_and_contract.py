"""The code of the previous version works on the tables of this one. Migrations add first, and remove unused columns a
version later (docs/howto/upgrade.md)."""

import json
import sqlite3
import tarfile
from collections.abc import Iterator
from contextlib import closing

import pytest

from portolan.config.empty_database import fill
from portolan_dev.dataset.reads import find_breaks, read_models
from testing.migrated import ROOT

(VERSION,) = (ROOT / "fixtures" / "versions").glob("*.tar.xz")


@pytest.fixture
def now() -> Iterator[sqlite3.Connection]:
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as database:
        fill(database, "en")
        yield database


def test_the_previous_version_finds_what_it_reads(now: sqlite3.Connection) -> None:
    with tarfile.open(VERSION) as archive:
        about = archive.extractfile("about.json")
        assert about
        reads = json.loads(about.read())["reads"]
    assert len(reads) > 50
    assert list(find_breaks(reads, now)) == []


def test_what_is_read_is_what_the_models_say(now: sqlite3.Connection) -> None:
    reads = read_models()
    assert {"fields", "site", "id"} <= {*reads["leads_lead"]}
    assert {"taggit_tag", "django_session", "wagtailcore_page"} <= reads.keys()
    assert list(find_breaks(reads, now)) == []


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ("DROP TABLE leads_leadfile", ["leads_leadfile is missing"]),
        (
            "ALTER TABLE leads_lead RENAME COLUMN fields TO answers",
            ["leads_lead.fields is missing", "leads_lead.answers needs"],
        ),
        ("ALTER TABLE leads_lead DROP COLUMN captcha_token", ["leads_lead.captcha_token is missing"]),
        ("ALTER TABLE leads_lead ADD COLUMN tone text NOT NULL DEFAULT ''", []),
        ("ALTER TABLE leads_lead ADD COLUMN tone text", []),
        ("CREATE TABLE leads_tone (id integer NOT NULL PRIMARY KEY, name text NOT NULL)", []),
    ],
)
def test_a_change_of_the_tables(now: sqlite3.Connection, change: str, said: list[str]) -> None:
    now.executescript(change)
    breaks = list(find_breaks(read_models(), now))
    assert [found[: len(wanted)] for found, wanted in zip(breaks, said, strict=True)] == said
