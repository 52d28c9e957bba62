"""Erased data is in no byte of the database's files, including free pages and the write-ahead log."""

from pathlib import Path

import pytest
from django.db import connection
from django.utils import timezone

from portolan.leads.durable import forget_log
from portolan.leads.erasure import erase
from portolan.leads.file_store import FileStore
from portolan.leads.models import Lead

CANARY = b"Canary-of-a-lead-7f3a"


def bytes_of_files(folder: Path) -> bytes:
    return b"".join(path.read_bytes() for path in sorted(folder.glob("test.sqlite3*")))


@pytest.mark.usefixtures("many_connections")
@pytest.mark.parametrize("length", [40, 40_000])  # in the row's page, and in overflow pages
def test_erased_text_is_in_no_byte_of_the_files(tmp_path: Path, length: int) -> None:
    if connection.vendor != "sqlite":
        pytest.skip("of SQLite's files")
    now = timezone.now()
    for number in range(20):
        text = f"{CANARY.decode()} {number} " + "x" * length
        Lead.objects.create(site="en", form="contact", created_at=now, fields={"message": text}, captcha_token="t")
    # Overwritten and grown rows both leave the older state behind.
    for lead in Lead.objects.all():
        lead.fields["message"] += "y" * 5000
        lead.save()
    assert CANARY in bytes_of_files(tmp_path)
    erase(Lead.objects.all(), FileStore(tmp_path / "leads"))
    assert CANARY not in bytes_of_files(tmp_path)


@pytest.mark.usefixtures("many_connections")
def test_a_reader_keeps_the_log_and_nobody_waits_long_for_it(tmp_path: Path) -> None:
    if connection.vendor != "sqlite":
        pytest.skip("of SQLite's files")
    import sqlite3

    Lead.objects.create(site="en", form="contact", created_at=timezone.now(), fields={}, captcha_token="t")
    reader = sqlite3.connect(tmp_path / "test.sqlite3")
    reader.execute("BEGIN")
    reader.execute("SELECT count(*) FROM leads_lead").fetchone()
    Lead.objects.update(state="done")
    assert not forget_log()
    reader.close()
    assert forget_log()
    assert (tmp_path / "test.sqlite3-wal").stat().st_size == 0
