import os
from datetime import timedelta
from pathlib import Path

import pytest
from django.utils import timezone

from portolan.leads import housekeeping
from portolan.leads.accept import accept_lead
from portolan.leads.file_store import FileStore
from portolan.leads.models import Answer, Lead

from .conftest import PDF, post, stored_files

pytestmark = pytest.mark.django_db


def make_old(folder: Path, seconds: float = 7200) -> None:
    then = folder.stat().st_mtime - seconds
    os.utime(folder, (then, then))


@pytest.mark.postgres
def test_what_killed_processes_left_goes_and_what_belongs_to_leads_stays(leads_dir: Path) -> None:
    accept_lead(post(files=[("attachments[0]", "cv.pdf", PDF)]))
    (kept,) = stored_files(leads_dir)
    make_old(kept.parent)
    day = kept.parent.parent
    stray, fresh = day / "00000000-0000-4000-8000-000000000000", day / "00000000-0000-4000-8000-000000000001"
    half, current = leads_dir / "incoming" / "half", leads_dir / "incoming" / "current"
    for folder in (stray, fresh, half, current):
        folder.mkdir()
        (folder / "file").write_bytes(b"a")
    make_old(stray)
    make_old(half)
    assert housekeeping.remove_leftovers(FileStore(leads_dir)) == 2
    assert set(stored_files(leads_dir)) == {kept, fresh / "file", current / "file"}


@pytest.mark.postgres
def test_answers_go_after_a_month() -> None:
    accept_lead(post(name="old"))
    Answer.objects.update(created_at=timezone.now() - timedelta(days=31))
    accept_lead(post(name="new"))
    housekeeping.remove_leftovers(FileStore(Path("/nowhere")))
    assert Answer.objects.count() == 1
    assert Lead.objects.count() == 2


def test_it_is_done_by_the_way_and_not_more_than_once_an_hour(leads_dir: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    done: list[FileStore] = []
    monkeypatch.setattr(housekeeping, "remove_leftovers", done.append)
    monkeypatch.setattr(housekeeping, "_next_at", 0.0)
    for number in range(3):
        accept_lead(post(name=f"{number}"))
    assert len(done) == 1


def test_a_lead_is_answered_for_whatever_fails_here(
    leads_dir: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(_: FileStore) -> None:
        raise OSError("disk")

    monkeypatch.setattr(housekeeping, "remove_leftovers", fail)
    monkeypatch.setattr(housekeeping, "_next_at", 0.0)
    assert accept_lead(post())
    assert "The next try is in an hour" in caplog.text


def test_what_cannot_be_removed_is_logged_without_its_words(
    leads_dir: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(store: FileStore) -> int:
        raise ValueError("Failing row contains (Canary-Name)")

    monkeypatch.setattr(housekeeping, "remove_leftovers", fail)
    monkeypatch.setattr(housekeeping, "_next_at", 0.0)
    housekeeping.tidy(FileStore(leads_dir))
    assert "could not be removed (ValueError)" in caplog.text
    assert "Canary" not in caplog.text
