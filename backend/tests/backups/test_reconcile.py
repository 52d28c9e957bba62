"""The report of a restore about the database and the files next to it."""

from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path

import pytest
from pytest_django import Settings
from wagtail.documents import get_document_model

from portolan.backups.reconcile import reconcile
from portolan.leads.file_store import FileStore
from portolan.leads.models import Delivery, Lead, LeadFile

from .conftest import write

pytestmark = pytest.mark.django_db
NOW = datetime(2026, 11, 24, 9, tzinfo=UTC)


@pytest.fixture
def leads(settings: Settings, tmp_path: Path) -> Path:
    settings.MEDIA_ROOT = str(tmp_path / "media")
    settings.LEADS_DIR = tmp_path / "leads"
    for number, name in enumerate(("whole.pdf", "damaged.pdf", "missing.pdf")):
        lead = Lead.objects.create(site="en", form="contact", created_at=NOW, fields={}, captcha_token="t")
        data = name.encode()
        LeadFile.objects.create(
            lead=lead,
            position=0,
            name=name,
            extension="pdf",
            size=9,
            sha256=sha256(data).hexdigest(),
            path=f"d/{number}",
        )
        Delivery.objects.create(lead=lead, destination="crm", next_at=NOW)
    write(tmp_path / "leads" / "files" / "d" / "0", b"whole.pdf")
    write(tmp_path / "leads" / "files" / "d" / "1", b"damaged.pdx")
    return tmp_path / "leads"


@pytest.mark.postgres
def test_it_names_what_is_missing_and_what_may_come_twice(leads: Path, tmp_path: Path) -> None:
    get_document_model().objects.create(title="Rates", file="documents/rates.pdf")
    write(leads / "spool" / "1-a.json", b"{}")
    write(leads / "spool" / "2-b.bad", b"{}")
    said = [(line.state, line.said) for line in reconcile(FileStore(leads))]
    assert [state for state, _ in said] == ["missing", "missing", "well", "missing", "warning", "missing", "warning"]
    text = "\n".join(words for _, words in said)
    for words in (
        "1 of 3 files of leads missing: missing.pdf",
        "1 of 3 files of leads damaged: damaged.pdf",
        "1 of 1 document missing in the media folder: documents/rates.pdf",
        "1 lead waits in the spool",
        "1 file in",
        "3 leads wait for crm",
    ):
        assert words in text


def test_where_all_is_there_it_says_so(tmp_path: Path, settings: Settings) -> None:
    settings.MEDIA_ROOT = str(tmp_path / "media")
    assert [line.state for line in reconcile(FileStore(tmp_path / "leads"))] == ["well", "well", "well"]


def test_uploads_in_a_storage_of_their_own_are_looked_for_there(tmp_path: Path, settings: Settings) -> None:
    settings.MEDIA_ROOT = str(tmp_path / "media")
    write(tmp_path / "media" / "documents" / "left.pdf", b"of before the storage")
    write(tmp_path / "uploads" / "documents" / "rates.pdf", b"rates")
    for name in ("rates", "left"):
        get_document_model().objects.create(title=name, file=f"documents/{name}.pdf")
    said = [line.said for line in reconcile(FileStore(tmp_path / "leads"), (tmp_path / "uploads").as_uri())]
    assert "0 images are in the upload storage" in said
    assert any("1 of 2 documents missing in the upload storage: documents/left.pdf" in line for line in said)
