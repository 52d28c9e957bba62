"""Tests with a damaged database: each lead is stored on disk, and no lead is lost or blocks another lead."""

import json
import logging
import shutil
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest
from django.db import DatabaseError, IntegrityError, InternalError, OperationalError, connection
from pytest_django import Settings

from portolan.leads import accept, spool
from portolan.leads.accept import accept_lead
from portolan.leads.delivery_service import DeliveryService
from portolan.leads.file_store import FileStore
from portolan.leads.models import Lead
from portolan.leads.spool import open_spool, replay_spool
from portolan.releases import connection as release_connection
from portolan.sites.destinations import Mailbox

from ..damaged_databases import damage_header, damage_table
from .conftest import PDF, post
from .making import CANARY

Damage = Callable[[Path], None]

needs_sqlite = pytest.mark.skipif("connection.vendor != 'sqlite'", reason="writes junk into SQLite's file")


@pytest.fixture(autouse=True)
def one_destination(settings: Settings) -> None:
    entry = Mailbox(name="crm", kind="email", to=["sales@brightmoor.example"])
    settings.SITES_REGISTRY = settings.SITES_REGISTRY.model_copy(update={"destinations": [entry]})


def junk_in(table: str) -> Damage:
    return lambda file: damage_table(file, table)


@pytest.fixture
def database(many_connections: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(release_connection, "_fits_until", 0.0)
    return tmp_path / "test.sqlite3"


@contextmanager
def damaged(file: Path, damage: Damage) -> Iterator[None]:
    """Damage the file during the block, then restore the whole file."""
    connection.close()
    with closing(sqlite3.connect(file)) as checkpoint:
        checkpoint.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    whole = file.with_suffix(".whole")
    shutil.copy(file, whole)
    damage(file)
    try:
        yield
    finally:
        connection.close()
        for left in (file.with_name(f"{file.name}-wal"), file.with_name(f"{file.name}-shm")):
            left.unlink(missing_ok=True)
        whole.replace(file)


@needs_sqlite
@pytest.mark.parametrize(
    "damage",
    [
        junk_in("leads_answer"),
        junk_in("leads_lead"),
        junk_in("leads_leadfile"),
        junk_in("leads_delivery"),
        junk_in("sqlite_autoindex_leads_answer_1"),
        damage_header,
    ],
    ids=["answer", "lead", "file", "delivery", "index", "header"],
)
def test_leads_wait_in_the_spool_and_are_stored_when_the_database_is_whole(
    damage: Damage, database: Path, leads_dir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = FileStore(leads_dir)
    with damaged(database, damage):
        receipts = [
            accept_lead(post({"message": CANARY}, [("attachments[0]", "cv.pdf", PDF)], name=f"{number}"))
            for number in range(3)
        ]
        assert not any(receipt.is_stored for receipt in receipts)
        assert replay_spool(store) == 0
    assert open_spool(leads_dir).count() == len(open_spool(leads_dir).list()) == 3  # no lead was set aside
    monkeypatch.setattr(accept, "_away_until", 0.0)
    assert replay_spool(store) == 3
    assert {str(id) for id in Lead.objects.values_list("pk", flat=True)} == {
        json.loads(receipt.body)["id"] for receipt in receipts
    }


@needs_sqlite
@pytest.mark.parametrize("damage", [junk_in("django_migrations"), damage_header], ids=["migrations", "header"])
def test_the_delivery_of_leads_outlives_a_damaged_database(
    damage: Damage, database: Path, leads_dir: Path, caplog: pytest.LogCaptureFixture
) -> None:
    rounds = iter([False, False, True])
    service = DeliveryService({}, FileStore(leads_dir), alarm=lambda delivery: None)
    with damaged(database, damage), caplog.at_level(logging.WARNING):
        service.run(wait=lambda seconds: True, is_ended=lambda: next(rounds))
    assert "The database is damaged" in caplog.text


class Broken:
    """Fails like a driver while a lead is stored."""

    def __init__(self, error: Exception) -> None:
        self.error = error

    def __call__(self, *_: Any, **__: Any) -> None:
        raise self.error


@pytest.mark.django_db
@pytest.mark.parametrize("at", ["find_answer", "store_intake"])
@pytest.mark.parametrize(
    "error",
    [
        DatabaseError("database disk image is malformed"),
        DatabaseError("file is not a database"),
        OperationalError("disk I/O error"),
        OperationalError("attempt to write a readonly database"),
        InternalError("invalid page in block 0 of relation"),
        IntegrityError(f"duplicate key: {CANARY}"),
        TypeError(f"a mistake of ours with {CANARY}"),
    ],
    ids=lambda error: str(error).partition(":")[0],
)
def test_whatever_fails_while_a_lead_is_stored_it_is_spooled(
    error: Exception, at: str, leads_dir: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(accept, at, Broken(error))
    with caplog.at_level(logging.DEBUG):
        receipt = accept_lead(post({"message": CANARY}, [("attachments[0]", "cv.pdf", PDF)]))
    assert not receipt.is_stored
    assert len(open_spool(leads_dir).list()) == 1
    assert CANARY not in caplog.text
    if isinstance(error, (IntegrityError, TypeError)):  # not the database's fault: the log has the line of code
        assert any(
            record.levelname == "ERROR" and "test_corrupt_database.py" in record.message for record in caplog.records
        )


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("error", "left"),
    [(DatabaseError("database disk image is malformed"), ".json"), (IntegrityError("of this row"), ".bad")],
)
def test_a_lead_that_cannot_be_stored_blocks_no_other(
    error: Exception, left: str, leads_dir: Path, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patched:
        patched.setattr(accept, "store_intake", Broken(DatabaseError("away")))
        ids = [json.loads(accept_lead(post(name=f"{number}")).body)["id"] for number in range(3)]
    original = spool.store_intake

    def fail_for_the_first(intake: Any, **options: Any) -> None:
        if intake.lead["id"] == ids[0]:
            raise error
        original(intake, **options)

    monkeypatch.setattr(spool, "store_intake", fail_for_the_first)
    assert replay_spool(FileStore(leads_dir)) == 2
    (waiting,) = (path for path in (leads_dir / "spool").iterdir() if path.suffix in (".json", ".bad"))
    assert waiting.suffix == left
