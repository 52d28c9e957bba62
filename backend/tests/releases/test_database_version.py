"""The names of migrations show whether database and product fit."""

import pytest
from django.apps import apps
from django.db import connection
from django.db.migrations.loader import MigrationLoader

from portolan.releases.connection import connected_reader
from portolan.releases.database_errors import find_trouble
from portolan.releases.database_version import (
    _PACKAGES,
    KNOWN,
    Differences,
    Migration,
    NewerDatabase,
    OlderDatabase,
    compare,
    require_fit,
)

KNOWS = {"content": frozenset({"0001_initial", "0002_more"}), "wagtail": frozenset({"0001_squashed_0016_x", "0017_y"})}
SAME = [
    ("content", "0001_initial"),
    ("content", "0002_more"),
    ("wagtail", "0001_squashed_0016_x"),
    ("wagtail", "0017_y"),
]


@pytest.mark.parametrize(
    ("more", "less", "unknown", "missing"),
    [
        ([], [], [], []),
        ([("content", "0003_later")], [], ["0003_later"], []),
        ([("content", "0002_of_another_branch")], [], ["0002_of_another_branch"], []),
        ([("wagtail", "0016_x"), ("wagtail", "0003_old")], [], [], []),
        ([("gone", "0001_initial")], [], [], []),
        ([], [("content", "0002_more")], [], ["0002_more"]),
        ([("content", "0003_later")], [("wagtail", "0017_y")], ["0003_later"], ["0017_y"]),
    ],
    ids=["the same", "later", "of another branch", "replaced", "of an app no more", "not yet", "both"],
)
def test_what_is_not_known_and_what_is_missing(more, less, unknown, missing):
    applied = [Migration(*row) for row in [*SAME, *more] if row not in less]
    found = compare(applied, KNOWS)
    assert [[migration.name for migration in side] for side in found] == [unknown, missing]


def test_a_newer_database_is_refused_and_an_older_one_can_be_upgraded():
    applied = [Migration(app, name) for app, names in KNOWN.items() for name in names]
    require_fit(applied)
    with pytest.raises(NewerDatabase) as newer:
        require_fit([*applied, Migration("content", "9999_later")])
    said = find_trouble(newer.value)
    assert "newer version of Portolan has upgraded the database (content.9999_later)" in said.what
    assert "restore the database backup" in said.fix
    assert not said.is_away
    with pytest.raises(OlderDatabase) as older:
        require_fit(sorted(applied)[1:])
    said = find_trouble(older.value)
    assert "it lacks 1 migration, from accounts.0001_sign_ins on" in said.what
    assert "`portolan upgrade`" in said.fix
    assert said.is_away, "it is asked again, for somebody upgrades it"


@pytest.mark.django_db
@pytest.mark.postgres
def test_files_say_what_django_knows():
    loader = MigrationLoader(connection)
    assert {app: apps.get_app_config(app).module.__name__ for app in loader.migrated_apps} == _PACKAGES
    assert {(app, name) for app, names in KNOWN.items() for name in names} == set(loader.disk_migrations)
    assert compare(connected_reader().migrations(), KNOWN) == Differences([], [])
