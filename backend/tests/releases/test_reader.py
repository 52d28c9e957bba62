import sqlite3
from datetime import UTC, datetime
from urllib.parse import quote

import pytest
from django.db import connection

from portolan.releases.connection import connected_reader
from portolan.releases.formats import current_format
from portolan.releases.models import Release, ReleaseItem
from portolan.releases.reader import ItemId, open_reader

pytestmark = [pytest.mark.django_db, pytest.mark.postgres]


def put(number: int, *items: tuple[str, str, str, str | None]) -> None:
    """Add a release in which the items have this body, or are deleted without one."""
    for site, kind, key, body in items:
        current = ReleaseItem.objects.filter(site=site, kind=kind, key=key, until=None)
        current.update(until=number)
        if body is not None:
            ReleaseItem.objects.create(
                site=site,
                kind=kind,
                key=key,
                digest=f"d{body}",
                body=body.encode(),
                format=current_format(kind),
                since=number,
            )
    Release.objects.create(number=number, created_by="test", changed=len(items))


@pytest.fixture
def reader():
    put(1, ("en", "page", "a", "1"), ("en", "page", "b", "1"), ("", "picture", "7", "1"))
    put(2, ("en", "page", "a", "2"), ("de", "page", "a", "1"))
    put(3, ("en", "page", "b", None), ("en", "page", "a", "1"))
    return connected_reader()


def addresses(items):
    return [(item.site, item.key, item.body.decode()) for item in items]


@pytest.mark.parametrize(
    ("release", "expected"),
    [
        (1, [("", "7", "1"), ("en", "a", "1"), ("en", "b", "1")]),
        (2, [("", "7", "1"), ("de", "a", "1"), ("en", "a", "2"), ("en", "b", "1")]),
        (3, [("", "7", "1"), ("de", "a", "1"), ("en", "a", "1")]),
    ],
)
def test_any_past_state_can_be_read(reader, release, expected):
    assert addresses(reader.items(release)) == expected


def test_reads_one_item_of_one_release(reader):
    assert reader.item(2, "en", "page", "a").body == b"2"
    assert reader.item(3, "en", "page", "b") is None


def test_reads_named_items_at_once_and_leaves_out_those_that_are_not_there(reader, django_assert_num_queries):
    with django_assert_num_queries(1):
        found = reader.some_items(2, "en", "page", ["b", "a", "a", "none"])
    assert addresses(found) == [("en", "a", "2"), ("en", "b", "1")]
    with django_assert_num_queries(0):
        assert reader.some_items(2, "en", "page", []) == []


def test_reads_more_named_items_than_one_statement_takes(reader, django_assert_num_queries):
    names = [f"aa-{number:03}" for number in range(998)]
    with django_assert_num_queries(2):
        found = reader.some_items(1, "en", "page", ["b", *names, "a"])
    assert addresses(found) == [("en", "a", "1"), ("en", "b", "1")]
    with django_assert_num_queries(3):
        assert addresses(reader.some_items(1, "en", "page", ["b", *names, "a", "none"])) == addresses(found)


def test_reads_those_of_the_named_items_that_are_blocked_as_they_were(reader):
    blocked = {ItemId("en", "page", "a"): 2, ItemId("de", "page", "a"): 1, ItemId("en", "page", "b"): 1}
    live = reader.with_blocked(blocked)
    assert addresses(live.some_items(3, "en", "page", ["a"])) == [("en", "a", "2")]
    assert addresses(live.some_items(3, "en", "page", ["b", "a"])) == [("en", "a", "2"), ("en", "b", "1")]
    assert addresses(live.some_items(3, "de", "page", ["a"])) == []
    assert addresses(live.some_items(3, "", "picture", ["7"])) == [("", "7", "1")]


def test_reads_digests_without_bodies(reader):
    assert reader.digests(2, "en", "page") == {"a": "d2", "b": "d1"}


def test_says_when_a_release_was_made(reader):
    created = reader.created_at(2)
    assert created is not None
    assert created.tzinfo is not None
    assert created == Release.objects.get(number=2).created_at
    assert reader.created_at(9) is None


def test_marks_a_release_by_number_and_moment_as_after_a_restored_backup_the_number_comes_again(reader):
    before = reader.mark(2)
    assert before == f"2 of {reader.created_at(2).isoformat()}"
    assert reader.mark(9) is None
    Release.objects.filter(number=2).update(created_at=datetime(2026, 3, 1, tzinfo=UTC))
    assert reader.mark(2) == "2 of 2026-03-01T00:00:00+00:00" != before


def test_reads_one_kind_of_one_site(reader):
    assert addresses(reader.collection(2, "en", "page")) == [("en", "a", "2"), ("en", "b", "1")]


@pytest.mark.parametrize(
    ("older", "newer", "expected"),
    [
        (1, 1, []),
        (1, 2, [(None, "de"), ("en", "en")]),
        (2, 1, [("de", None), ("en", "en")]),
        (2, 3, [("en", "en"), ("en", None)]),
        (1, 3, [(None, "de"), ("en", None)]),
    ],
    ids=["the same", "forward", "back", "a removal", "back to what it was is no change"],
)
def test_names_what_differs_between_releases(reader, older, newer, expected):
    pairs = reader.changes(older, newer)
    assert [(before and before.site, after and after.site) for before, after in pairs] == expected


def test_lists_releases_newest_first(reader):
    first, *rest = reader.releases()
    assert (first.number, first.created_by, first.changed) == (3, "test", 2)
    assert (datetime.now(UTC) - first.created_at).total_seconds() < 60
    assert [release.number for release in reader.releases(limit=2)] == [3, 2]
    assert len(rest) == 2


def test_knows_the_latest_and_which_there_are(reader):
    assert reader.latest() == 3
    assert reader.exists(2)
    assert not reader.exists(4)


def test_before_the_first_release_there_is_none():
    assert connected_reader().latest() is None
    assert connected_reader().releases() == []


@pytest.mark.django_db(transaction=True)
def test_a_connection_of_its_own_reads_the_same(reader, tmp_path):
    """The publisher's and the edge's connection to releases, on the database of the tests."""
    own = open_reader(_url_of_what_is_committed(tmp_path))
    assert own.items(2) == reader.items(2)
    assert own.items(2)
    assert own.collection(3, "en", "page") == reader.collection(3, "en", "page")
    assert [info.created_at for info in own.releases()] == [info.created_at for info in reader.releases()]
    assert (own.latest(), own.is_pending(), own.blocked_changes()) == (3, False, [])
    own.close()


def _url_of_what_is_committed(folder):
    """Return the test database's URL. SQLite's is in memory, so copy it to a file."""
    if connection.vendor == "sqlite":
        with connection.cursor() as cursor:
            cursor.execute("VACUUM INTO %s", [str(folder / "copy.sqlite3")])
        return f"sqlite:///{folder / 'copy.sqlite3'}"
    given = connection.settings_dict
    port = f":{given['PORT']}" if given["PORT"] else ""
    login = ":".join(quote(part, safe="") for part in (given["USER"], given["PASSWORD"]) if part)
    return f"postgres://{login}@{quote(given['HOST'], safe='')}{port}/{given['NAME']}"


@pytest.mark.parametrize("name", ["plain", "with space", "what?", "50%41", "a#b", "ümlaut&=;"])
def test_opens_a_database_whatever_its_folder_is_called(tmp_path, name):
    file = tmp_path / name / "db.sqlite3"
    file.parent.mkdir()
    with sqlite3.connect(file) as database:
        database.execute("CREATE TABLE releases_release (number INTEGER)")
        database.execute("INSERT INTO releases_release VALUES (7)")
    database.close()
    reader = open_reader(f"sqlite:///{quote(str(file))}")
    assert reader.latest() == 7
    reader.close()


def test_a_reader_of_its_own_cannot_write_and_makes_no_file(tmp_path):
    file = tmp_path / "db.sqlite3"
    with pytest.raises(sqlite3.OperationalError):
        open_reader(f"sqlite:///{file}")
    assert not file.exists()
