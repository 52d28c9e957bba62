"""One form, from the body to the database: acknowledged leads are stored, and refused ones leave no trace."""

import hashlib
import json
import os
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.db import DatabaseError, connection
from django.utils import timezone
from pytest_django import Settings

from portolan.leads import accept, durable
from portolan.leads.accept import Receipt, accept_lead
from portolan.leads.models import Answer, Delivery, Lead, LeadFile
from portolan.leads.refusals import LeadNotStored, LeadRefused
from portolan.leads.spool import open_spool
from portolan.releases.wake import WakeListener
from portolan.schemas.lead import LONGEST_KEY
from portolan.sites.destinations import LeadRules, Mailbox

from .conftest import PDF, ZIP, File, encode, post, raw_post, stored_files

CV: File = ("attachments[0]", "Lebenslauf.pdf", PDF)


def stored(receipt: Receipt) -> Lead:
    assert receipt.is_stored
    return Lead.objects.get(pk=json.loads(receipt.body)["id"])


@pytest.mark.django_db
class TestOne:
    @pytest.mark.postgres
    def test_the_lead_is_stored_with_what_was_sent(self, leads_dir: Path) -> None:
        receipt = accept_lead(
            post(
                {"services[0]": "devops", "step": "3", "start": "January", "company": ""},
                [CV, ("attachments[1]", "plans.zip", ZIP)],
            )
        )
        assert json.loads(receipt.body).keys() == {"id", "status"}
        lead = stored(receipt)
        assert (lead.site, lead.form, lead.captcha_token, lead.captcha_status) == (
            "de",
            "contact",
            "no-token",
            "unverified",
        )
        assert lead.fields == {
            "contact": {"name": "Head of Operations", "email": "operations@northwind.example"},
            "message": "We move containers.",
            "pageUrl": "http://de.localhost:8000/kontakt",
            "privacyAccepted": True,
            "services": ["devops"],
            "step": 3,
            "start": "January",
        }
        files = list(lead.files.all())
        assert [(file.name, file.extension, file.size) for file in files] == [
            ("Lebenslauf.pdf", "pdf", len(PDF)),
            ("plans.zip", "zip", len(ZIP)),
        ]
        for file, data in zip(files, (PDF, ZIP), strict=True):
            path = leads_dir / "files" / file.path
            assert path.read_bytes() == data
            assert file.sha256 == hashlib.sha256(data).hexdigest()
            assert path.stat().st_mode & 0o777 == 0o600
            assert "Lebenslauf" not in file.path
        assert len(stored_files(leads_dir)) == 2
        assert list((leads_dir / "incoming").iterdir()) == []
        for folder in (leads_dir, leads_dir / "files", leads_dir / "incoming"):
            assert folder.stat().st_mode & 0o777 == 0o700

    def test_a_form_without_files_touches_no_disk(self, leads_dir: Path) -> None:
        accept_lead(post())
        assert not leads_dir.exists()

    @pytest.mark.parametrize(
        ("page", "site", "flags"),
        [
            ("http://localhost:8000/contact-us", "en", ["captcha-unreadable"]),
            ("http://ae.localhost:9000/contact-us", "ae", ["captcha-unreadable"]),
            ("https://staging.brightmoor.example/estimate", "en", ["captcha-unreadable"]),
            ("https://elsewhere.example/", "en", ["foreign-page", "captcha-unreadable"]),
        ],
    )
    def test_the_page_says_which_site_it_is_of(self, page: str, site: str, flags: list[str]) -> None:
        lead = stored(accept_lead(post({"pageUrl": page, "captchaToken": "abc"})))
        assert (lead.site, lead.flags) == (site, flags)

    def test_what_speaks_against_a_lead_is_noted_and_it_is_stored(self) -> None:
        lead = stored(accept_lead(post({"website": "https://spam.example"}, is_over_limit=True)))
        assert lead.flags == ["honeypot", "over-limit", "no-captcha"]
        assert lead.fields["website"] == "https://spam.example"

    @pytest.mark.parametrize(
        ("field", "name", "data", "code"),
        [
            ("attachments[0]", "cv.exe", b"MZ", "unsupported-file"),
            ("attachments[0]", "cv.pdf", b"MZ", "unsupported-file"),
            ("attachments[0]", "x\0.pdf", PDF, "invalid-value"),
            ("message", "cv.pdf", PDF, "invalid-value"),
            ("attachments[51]", "cv.pdf", PDF, "invalid-value"),
            ("attachments[a]", "cv.pdf", PDF, "invalid-value"),
            ("attachments[0][x]", "cv.pdf", PDF, "invalid-value"),
        ],
    )
    def test_a_file_that_is_not_taken_leaves_nothing(
        self, field: str, name: str, data: bytes, code: str, leads_dir: Path
    ) -> None:
        with pytest.raises(LeadRefused) as refused:
            accept_lead(post({"message": None}, [("attachments", "cv.pdf", PDF), (field, name, data)]))
        assert (refused.value.code, refused.value.errors[0].field) == (code, field)
        assert not Lead.objects.exists()
        assert stored_files(leads_dir) == []

    def test_one_file_under_each_name(self) -> None:
        with pytest.raises(LeadRefused) as refused:
            accept_lead(post(files=[CV, CV]))
        assert refused.value.errors[0].field == "attachments[0]"
        several = [("attachments", "a.pdf", PDF), ("attachments", "b.pdf", PDF)]  # as a file input without scripts does
        assert stored(accept_lead(post(files=several))).files.count() == 2

    def test_a_text_is_no_attachment(self) -> None:
        with pytest.raises(LeadRefused) as refused:
            accept_lead(post({"attachments[0]": "a"}))
        assert refused.value.errors[0].field == "attachments"
        accept_lead(post({"attachments[0]": ""}))

    def test_what_the_sender_makes_of_a_key_does_not_matter(self) -> None:
        for name in ("\0", "ä" * 255, "' OR 1=1", "a\nb"):
            assert accept_lead(post(name=name)) == accept_lead(post(name=name))
        assert Lead.objects.count() == 4


@pytest.mark.django_db
class TestOutbox:
    @pytest.fixture(autouse=True)
    def destinations(self, settings: Settings) -> None:
        to = ["sales@brightmoor.example"]
        entries = [
            Mailbox(name="all", kind="email", to=to),
            Mailbox(name="german", kind="email", sites=["de"], to=to),
            Mailbox(name="english", kind="email", sites=["en", "uk"], to=to),
        ]
        settings.SITES_REGISTRY = settings.SITES_REGISTRY.model_copy(update={"destinations": entries})

    def test_a_lead_has_a_delivery_for_each_destination_of_its_site_due_at_once(self, settings: Settings) -> None:
        with WakeListener(settings.LEADS_SOCKET) as worker:
            lead = stored(accept_lead(post()))
            assert worker.wait(0)
        assert (lead.state, lead.spam_score) == ("open", 15)
        assert set(lead.deliveries.values_list("destination", "state", "attempts", "next_at")) == {
            ("all", "pending", 0, lead.created_at),
            ("german", "pending", 0, lead.created_at),
        }

    def test_what_looks_like_spam_is_stored_and_held(self) -> None:
        lead = stored(accept_lead(post({"website": "x", "secondsOpen": "0.4"})))
        assert (lead.state, lead.spam_score) == ("quarantined", 100)
        assert set(lead.deliveries.values_list("state", flat=True)) == {"held"}

    def test_a_site_may_have_no_quarantine(self, settings: Settings) -> None:
        rules = LeadRules(quarantine_score=101)
        settings.SITES_REGISTRY = settings.SITES_REGISTRY.model_copy(update={"leads": rules})
        lead = stored(accept_lead(post({"website": "x", "secondsOpen": "0.4"})))
        assert (lead.state, lead.deliveries.filter(state="pending").count()) == ("open", 2)

    @pytest.mark.postgres
    def test_a_lead_without_its_deliveries_is_not_stored(self, monkeypatch: pytest.MonkeyPatch) -> None:
        def refuse(*_: Any, **__: Any) -> None:
            raise DatabaseError

        monkeypatch.setattr(type(Delivery.objects), "bulk_create", refuse)
        assert not accept_lead(post()).is_stored
        assert not Lead.objects.exists()

    def test_how_long_a_form_was_open_makes_no_other_submission(self) -> None:
        first = accept_lead(post({"secondsOpen": "30"}, name="k"))
        assert accept_lead(post({"secondsOpen": "34.5"}, name="k")) == first


@pytest.mark.django_db
class TestRepeats:
    @pytest.mark.postgres
    def test_a_repeat_under_a_key_gets_the_first_answer_byte_for_byte(self, leads_dir: Path) -> None:
        first = accept_lead(post(files=[CV], name="k"))
        assert accept_lead(post(files=[CV], name="k")) == first
        assert Lead.objects.count() == 1
        assert len(stored_files(leads_dir)) == 1

    def test_a_captcha_has_a_new_token_for_every_try(self) -> None:
        first = accept_lead(post({"captchaToken": "one"}, name="k"))
        assert accept_lead(post({"captchaToken": "two"}, name="k")) == first
        assert stored(first).captcha_token == "one"

    @pytest.mark.postgres
    @pytest.mark.parametrize(
        ("changes", "files"),
        [({"message": "Another."}, [CV]), ({}, []), ({}, [("attachments[0]", "Lebenslauf.pdf", PDF + b" ")])],
    )
    def test_another_form_under_the_same_key_is_refused(
        self, changes: dict[str, str | None], files: list[File]
    ) -> None:
        accept_lead(post(files=[CV], name="k"))
        with pytest.raises(LeadRefused) as refused:
            accept_lead(post(changes, files, name="k"))
        assert refused.value.code == "idempotency-key-reused"
        assert Lead.objects.count() == 1

    def test_another_key_is_another_lead(self) -> None:
        assert accept_lead(post(name="a")) != accept_lead(post(name="b"))

    def test_a_name_in_the_form_may_be_as_long_as_in_the_header(self) -> None:
        first = accept_lead(post({"submissionId": "k" * LONGEST_KEY}))
        assert accept_lead(post(name="k" * LONGEST_KEY)) == first
        with pytest.raises(LeadRefused):
            accept_lead(post({"submissionId": "k" * (LONGEST_KEY + 1)}))

    def test_a_form_without_scripts_names_itself(self) -> None:
        first = accept_lead(post({"submissionId": "k"}))
        assert accept_lead(post({"submissionId": "k"})) == first
        assert accept_lead(post(name="k")) == first  # the same name, however it is given
        assert "submissionId" not in stored(first).fields

    def test_what_was_refused_is_not_remembered(self) -> None:
        with pytest.raises(LeadRefused):
            accept_lead(post({"contact[email]": "no address"}, name="k"))
        assert not Answer.objects.exists()
        assert stored(accept_lead(post(name="k")))

    @pytest.mark.postgres
    def test_without_a_key_the_same_form_is_one_lead_for_ten_minutes(self, monkeypatch: pytest.MonkeyPatch) -> None:
        now = timezone.now()
        monkeypatch.setattr(accept.timezone, "now", lambda: now)
        first = accept_lead(post(files=[CV]))
        assert accept_lead(post({"captchaToken": "another"}, files=[CV])) == first
        assert accept_lead(post()) != first
        now += timedelta(minutes=10)
        assert accept_lead(post(files=[CV])) == first
        now += timedelta(seconds=1)
        later = accept_lead(post(files=[CV]))
        assert later != first
        assert accept_lead(post(files=[CV])) == later

    @pytest.mark.postgres
    def test_an_answer_under_a_key_is_kept_for_a_month(self, monkeypatch: pytest.MonkeyPatch) -> None:
        now = timezone.now()
        monkeypatch.setattr(accept.timezone, "now", lambda: now)
        first = accept_lead(post(name="k"))
        now += timedelta(days=30)
        assert accept_lead(post(name="k")) == first
        now += timedelta(seconds=1)
        assert accept_lead(post({"message": "Another."}, name="k")) != first

    def test_neither_key_nor_form_stands_in_what_is_remembered(self) -> None:
        accept_lead(post({"message": "CANARY"}, name="CANARY"))
        (answer,) = Answer.objects.values()
        assert "CANARY" not in repr(answer)


@pytest.mark.django_db
class TestFailures:
    """After any failure, only stored leads are acknowledged."""

    def fail(self, files: list[File], caplog: pytest.LogCaptureFixture) -> None:
        with pytest.raises(LeadNotStored) as failed:
            accept_lead(post({"message": "CANARY"}, files))
        assert failed.value.__cause__ is None
        assert failed.value.__suppress_context__
        assert "could not be stored" in caplog.text
        assert "CANARY" not in caplog.text + repr(failed.value)
        assert not Lead.objects.exists()
        assert not Answer.objects.exists()

    @pytest.mark.postgres
    @pytest.mark.parametrize("model", [Lead, Answer, LeadFile])
    def test_the_database_refuses_a_row(
        self, model: Any, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, leads_dir: Path
    ) -> None:
        error = DatabaseError("Failing row contains (CANARY)")

        def refuse(*_: Any, **__: Any) -> None:
            raise error

        name = "save" if model is Lead else "bulk_create" if model is LeadFile else "create"
        monkeypatch.setattr(model if model is Lead else type(model.objects), name, refuse)
        assert not accept_lead(post(files=[CV])).is_stored
        assert "CANARY" not in caplog.text
        assert not Lead.objects.exists()
        assert not Answer.objects.exists()
        assert len(open_spool(leads_dir).list()) == 1

    @pytest.mark.parametrize("call", ["open", "fsync", "rename"])
    def test_the_disk_is_full(
        self, call: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, leads_dir: Path
    ) -> None:
        def full(*_: Any, **__: Any) -> None:
            raise OSError(28, "No space left on device", "CANARY")

        with monkeypatch.context() as patch:
            patch.setattr(Path if call == "rename" else os, call, full)
            self.fail([CV], caplog)
        assert stored_files(leads_dir) == []
        assert "No space left" in caplog.text


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("many_connections")
class TestManyAtOnce:
    def at_once(self, count: int, send: Callable[[int], Any]) -> list[Any]:
        gate = threading.Barrier(count)

        def one(number: int) -> Any:
            gate.wait()
            try:
                return send(number)
            finally:
                connection.close()

        with ThreadPoolExecutor(count) as pool:
            return list(pool.map(one, range(count)))

    @pytest.mark.postgres
    @pytest.mark.parametrize("name", ["k", None])
    def test_fifty_of_one_submission_are_one_lead(self, name: str | None, leads_dir: Path) -> None:
        receipts = self.at_once(50, lambda _: accept_lead(post(files=[CV], name=name)))
        assert len(set(receipts)) == 1
        assert Lead.objects.count() == LeadFile.objects.count() == Answer.objects.count() == 1
        assert len(stored_files(leads_dir)) == 1

    @pytest.mark.postgres
    def test_fifty_submissions_are_fifty_leads(self, leads_dir: Path) -> None:
        receipts = self.at_once(50, lambda number: accept_lead(post(files=[CV], name=f"{number}")))
        assert {str(id) for id in Lead.objects.values_list("pk", flat=True)} == {
            json.loads(r.body)["id"] for r in receipts
        }
        assert len(stored_files(leads_dir)) == 50

    @pytest.mark.postgres
    def test_ten_minutes_later_one_of_many_takes_over(self) -> None:
        accept_lead(post())
        Answer.objects.update(created_at=timezone.now() - timedelta(hours=1))
        assert len(set(self.at_once(20, lambda _: accept_lead(post())))) == 1
        assert Lead.objects.count() == 2

    @pytest.mark.postgres
    def test_different_forms_under_one_key_are_one_lead_and_refusals(self) -> None:
        def send(number: int) -> object:
            try:
                return accept_lead(post({"message": f"{number}"}, name="k"))
            except LeadRefused as refused:
                return refused.code.encode()

        answers = self.at_once(20, send)
        assert answers.count(b"idempotency-key-reused") == 19
        assert Lead.objects.count() == 1

    @pytest.mark.postgres
    def test_a_lead_is_on_the_disk_when_it_is_acknowledged(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """Without this, SQLite may wait for the next checkpoint, and PostgreSQL for its next write."""
        seen: list[str] = []
        execute = durable._execute

        def watch(statement: str) -> None:
            execute(statement)
            with connection.cursor() as cursor:
                cursor.execute("PRAGMA synchronous" if connection.vendor == "sqlite" else "SHOW synchronous_commit")
                seen.append(str(cursor.fetchone()[0]))

        monkeypatch.setattr(durable, "_execute", watch)
        accept_lead(post())
        assert seen == (["2", "1"] if connection.vendor == "sqlite" else ["on"])


def test_no_body_is_a_lead() -> None:
    for body in (b"", b"{}", encode({})):
        with pytest.raises(LeadRefused):
            accept_lead(raw_post(body))
