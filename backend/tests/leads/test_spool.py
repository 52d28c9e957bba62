"""While the database is away, acknowledged leads are on the disk. Later they move to the database."""

import json
import logging
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from django.db import OperationalError, ProgrammingError
from django.utils import timezone
from pytest_django import Settings

from portolan.leads import accept, records, spool
from portolan.leads.accept import Receipt, accept_lead
from portolan.leads.captcha import altcha as ours
from portolan.leads.file_store import FileStore
from portolan.leads.housekeeping import remove_leftovers
from portolan.leads.models import Delivery, Lead, LeadFile
from portolan.leads.refusals import LeadNotStored, LeadRefused
from portolan.leads.spool import open_spool, replay_spool
from portolan.sites.destinations import Mailbox

from .captcha.test_altcha import token
from .conftest import PDF, File, post, stored_files
from .making import CANARY

CV: File = ("attachments[0]", "cv.pdf", PDF)

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def one_destination(settings: Settings) -> None:
    entry = Mailbox(name="crm", kind="email", to=["sales@brightmoor.example"])
    settings.SITES_REGISTRY = settings.SITES_REGISTRY.model_copy(update={"destinations": [entry]})


@pytest.fixture
def away(monkeypatch: pytest.MonkeyPatch) -> Callable[[], Any]:
    """``with away():`` the database fails at the first query or at the last."""

    @contextmanager
    def make(at: str = "find_answer") -> Iterator[None]:
        def fail(*_: Any, **__: Any) -> None:
            raise OperationalError(CANARY)

        with monkeypatch.context() as patch:
            patch.setattr(accept if at == "find_answer" else records, at, fail)
            yield
        monkeypatch.setattr(accept, "_away_until", 0.0)

    return make


def id_of(receipt: Receipt) -> str:
    return str(json.loads(receipt.body)["id"])


def replay(leads_dir: Path) -> int:
    return replay_spool(FileStore(leads_dir))


@pytest.mark.postgres
@pytest.mark.parametrize("at", ["find_answer", "save_answer", "make_deliveries"])
def test_a_lead_waits_on_the_disk_and_is_stored_later(
    at: str, away: Any, leads_dir: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.DEBUG), away(at):
        receipt = accept_lead(post({"message": CANARY}, [CV], name="k"))
    assert not receipt.is_stored
    assert not Lead.objects.exists()
    (file,) = open_spool(leads_dir).list()
    assert file.stat().st_mode & 0o777 == 0o600
    assert file.parent.stat().st_mode & 0o777 == 0o700
    received = timezone.now()
    with caplog.at_level(logging.DEBUG):
        assert replay(leads_dir) == 1
    lead = Lead.objects.get()
    assert str(lead.pk) == id_of(receipt)
    assert lead.fields["message"] == CANARY
    assert lead.created_at < received
    assert (leads_dir / "files" / lead.files.get().path).read_bytes() == PDF
    assert lead.deliveries.get().state == "pending"
    assert open_spool(leads_dir).list() == []
    assert accept_lead(post({"message": CANARY}, [CV], name="k")).body == receipt.body
    assert CANARY not in caplog.text


def test_they_are_stored_in_the_order_they_came(away: Any, leads_dir: Path) -> None:
    with away():
        ids = [id_of(accept_lead(post(name=f"{number}"))) for number in range(20)]
    stored: list[str] = []
    original = spool.store_intake

    def watch(intake: Any, **options: Any) -> None:
        stored.append(str(intake.lead["id"]))
        original(intake, **options)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(spool, "store_intake", watch)
        assert replay(leads_dir) == 20
    assert stored == ids


@pytest.mark.postgres
def test_a_repeat_gets_the_first_receipt_wherever_the_lead_is(away: Any, leads_dir: Path) -> None:
    with away():
        first = accept_lead(post(name="k"))
        assert accept_lead(post(name="k")) == first
        unnamed = accept_lead(post({"message": "Another."}))
        assert accept_lead(post({"message": "Another."})) == unnamed
    assert accept_lead(post(name="k")).body == first.body  # back, and not replayed yet
    assert replay(leads_dir) == 2
    assert accept_lead(post(name="k")) == Receipt(first.body)
    assert Lead.objects.count() == 2


def test_another_form_under_the_same_name_is_refused(away: Any, leads_dir: Path) -> None:
    with away():
        accept_lead(post(files=[CV], name="k"))
        with pytest.raises(LeadRefused):
            accept_lead(post({"message": "Another."}, [CV], name="k"))
    assert len(stored_files(leads_dir / "files")) == 1


@pytest.mark.postgres
def test_a_promise_made_in_the_dark_is_kept(away: Any, leads_dir: Path) -> None:
    """The name belonged to another form in the database, which was out of reach."""
    accept_lead(post(name="k"))
    with away():
        receipt = accept_lead(post({"message": "Another."}, name="k"))
    assert replay(leads_dir) == 1
    assert Lead.objects.filter(pk=id_of(receipt)).exists()
    assert Lead.objects.count() == 2


@pytest.mark.postgres
def test_a_repeat_of_what_was_stored_before_makes_no_second_lead(away: Any, leads_dir: Path) -> None:
    accept_lead(post(name="k"))
    with away():
        accept_lead(post(name="k"))
    assert replay(leads_dir) == 0
    assert Lead.objects.count() == 1
    assert open_spool(leads_dir).list() == []


@pytest.mark.postgres
def test_a_commit_that_nobody_heard_of_makes_no_second_lead(leads_dir: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    original = accept.store_intake

    def commit_and_break(intake: Any) -> None:
        original(intake)
        raise OperationalError("the connection is closed")

    with monkeypatch.context() as patch:
        patch.setattr(accept, "store_intake", commit_and_break)
        receipt = accept_lead(post(files=[CV], name="k"))
    assert not receipt.is_stored
    assert replay(leads_dir) == 0
    assert id_of(receipt) == str(Lead.objects.get().pk)
    assert LeadFile.objects.count() == len(stored_files(leads_dir / "files")) == Delivery.objects.count() == 1


@pytest.mark.postgres
def test_a_replay_that_is_broken_off_goes_on_where_it_was(
    away: Any, leads_dir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with away():
        ids = {id_of(accept_lead(post(name=f"{number}"))) for number in range(3)}
    with away("save_answer"):
        assert replay(leads_dir) == 0
    with monkeypatch.context() as patch:
        patch.setattr(spool.Spool, "remove", lambda *_: (_ for _ in ()).throw(KeyboardInterrupt))
        with pytest.raises(KeyboardInterrupt):
            replay(leads_dir)
    assert replay(leads_dir) == 2
    assert {str(id) for id in Lead.objects.values_list("pk", flat=True)} == ids


@pytest.mark.postgres
def test_a_solution_that_turns_out_to_be_used_is_a_flag_then(
    away: Any, leads_dir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ours, "_COST", 1)
    used = token()
    with away():
        for name in ("a", "b"):
            accept_lead(post({"captchaToken": used}, name=name))
    assert replay(leads_dir) == 2
    assert sorted((lead.captcha_status, *lead.flags) for lead in Lead.objects.all()) == [
        ("unverified", "captcha-reused"),
        ("verified",),
    ]
    assert sorted(Lead.objects.values_list("spam_score", flat=True)) == [0, 35]


def test_a_used_solution_and_other_signs_are_enough_for_quarantine(
    away: Any, leads_dir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ours, "_COST", 1)
    used = token()
    with away():
        for name in ("a", "b"):
            accept_lead(post({"captchaToken": used, "secondsOpen": "1"}, name=name))
    assert replay(leads_dir) == 2
    assert sorted(Lead.objects.values_list("spam_score", "state")) == [(35, "open"), (70, "quarantined")]


def test_files_of_leads_that_wait_are_no_strays(away: Any, leads_dir: Path) -> None:
    with away():
        accept_lead(post(files=[CV]))
    for folder in (leads_dir / "files").rglob("*"):
        os.utime(folder, (0, 0))
    assert remove_leftovers(FileStore(leads_dir)) == 0
    assert replay(leads_dir) == 1
    assert remove_leftovers(FileStore(leads_dir)) == 0
    assert (leads_dir / "files" / LeadFile.objects.get().path).read_bytes() == PDF


@pytest.mark.parametrize("content", [b"", b"{", b"{}", b"[]", b'{"submission": 1}'])
def test_what_cannot_be_read_is_put_aside_and_the_others_stored(
    content: bytes, away: Any, leads_dir: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with away():
        accept_lead(post())
    (folder,) = {path.parent for path in open_spool(leads_dir).list()}
    (folder / f"{0:020d}-{'0' * 32}.json").write_bytes(content)
    assert replay(leads_dir) == 1
    assert [path.suffix for path in folder.glob("0*")] == [".bad"]
    assert "was renamed to" in caplog.text


@pytest.mark.postgres
def test_tables_of_another_version_cost_no_lead(
    leads_dir: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def no_such_column(*_: Any) -> None:
        raise ProgrammingError(CANARY)

    with monkeypatch.context() as patch:
        patch.setattr(records, "save_answer", no_such_column)
        assert not accept_lead(post()).is_stored
        assert replay(leads_dir) == 0
    assert replay(leads_dir) == 1
    assert CANARY not in caplog.text


@pytest.mark.parametrize("call", ["open", "fsync", "rename", "write"])
def test_when_the_disk_is_full_too_the_sender_is_told_and_nothing_is_left(
    call: str, away: Any, leads_dir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with away():
        accept_lead(post(name="before"))
    before = stored_files(leads_dir)

    def full(*_: Any, **__: Any) -> None:
        raise OSError(28, "No space left on device", CANARY)

    with away(), monkeypatch.context() as patch:
        patch.setattr(os, call, full)
        with pytest.raises(LeadNotStored):
            accept_lead(post(name="k"))
    assert stored_files(leads_dir) == before
    with away():
        assert not accept_lead(post(name="k")).is_stored  # there is room again


def test_a_database_that_is_away_is_not_asked_for_each_lead(away: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = 0

    def fail(*_: Any) -> None:
        nonlocal asked
        asked += 1
        raise OperationalError

    with monkeypatch.context() as patch:
        patch.setattr(accept, "find_answer", fail)
        for number in range(10):
            assert not accept_lead(post(name=f"{number}")).is_stored
        assert asked == 1
        monkeypatch.setattr(accept, "_away_until", accept.time.monotonic())  # it may be back: the next request tries it
        accept_lead(post(name="later"))
        assert asked == 2
        monkeypatch.setattr(accept, "_away_until", accept.time.monotonic())
        assert not accept._is_away()
        assert accept._is_away()  # others skip the database while one request tries it
    monkeypatch.setattr(accept, "_away_until", accept.time.monotonic())
    assert accept_lead(post(name="back")).is_stored
    assert accept._away_until == 0
