"""Personal data is erased: on request, and at the end of its time."""

import json
import logging
from datetime import timedelta
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from django.core import serializers
from django.utils import timezone
from pytest_django import Settings

from portolan.commands import leads as commands
from portolan.config.env import env
from portolan.domain.months import subtract_months
from portolan.leads import erasure, housekeeping
from portolan.leads.accept import accept_lead
from portolan.leads.durable import durable_transaction
from portolan.leads.erasure import erase, find_person, purge
from portolan.leads.file_store import FileStore
from portolan.leads.models import Answer, Delivery, DeliveryAttempt, Lead, LeadFile
from portolan.leads.sealing import new_key

from .conftest import PDF, post, stored_files

pytestmark = pytest.mark.django_db

CANARIES = (
    "Canary-Name",
    "canary_7@person.example",
    "Canary-Company",
    "+44 20 7946 0000",
    "Canary-Message",
    "Canary-Cv",
)


def make_lead(email: str = "canary_7@person.example", months: int = 0, **deliveries: str) -> Lead:
    """Make a lead by the usual way, so that all of its data exists for erasing."""
    fields = {
        "contact[name]": "Canary-Name",
        "contact[email]": email,
        "contact[company]": "Canary-Company",
        "contact[phone]": "+44 20 7946 0000",
        "message": "Canary-Message",
        "extra[note]": "Canary-Message",
        "captchaToken": "Canary-Message",
        "firstVisitUrl": "https://localhost/?email=canary_7@person.example",
    }
    receipt = accept_lead(post(fields, [("attachments[0]", "Canary-Cv.pdf", PDF)], name=f"key-{Lead.objects.count()}"))
    lead = Lead.objects.get(pk=json.loads(receipt.body)["id"])
    lead.deliveries.all().delete()
    Lead.objects.filter(pk=lead.pk).update(created_at=subtract_months(timezone.now(), months))
    lead.refresh_from_db()
    for destination, state in deliveries.items():
        delivered_at = timezone.now() if state == "delivered" else None
        Delivery.objects.create(
            lead=lead, destination=destination, state=state, next_at=timezone.now(), delivered_at=delivered_at
        )
    return lead


def dump() -> str:
    """Return all data about leads in the tables."""
    rows = [row for model in (Lead, LeadFile, Answer, Delivery, DeliveryAttempt) for row in model.objects.all()]
    answers = b"".join(bytes(answer.body) for answer in Answer.objects.all()).decode()
    return serializers.serialize("json", rows) + answers


@pytest.mark.postgres
def test_nothing_personal_is_left_and_the_row_is(leads_dir: Path, caplog: pytest.LogCaptureFixture) -> None:
    lead = make_lead(crm="pending", mail="delivered")
    assert all(canary in dump() for canary in CANARIES)  # else the test would prove nothing
    with caplog.at_level(logging.DEBUG):
        erase([lead], FileStore(leads_dir))
    assert [canary for canary in CANARIES if canary in dump() + caplog.text] == []
    assert stored_files(leads_dir) == []
    lead.refresh_from_db()
    assert lead.erased_at is not None
    assert (lead.site, lead.form, lead.fields, lead.state) == ("de", "contact", {}, "done")


def test_what_is_not_delivered_is_cancelled_and_who_may_have_it_is_named(leads_dir: Path) -> None:
    lead = make_lead(crm="delivered", held="held", mail="pending", tried="pending")
    attempt = {"at": timezone.now(), "succeeded": False, "detail": "no answer within 15 s"}
    for _ in range(2):
        DeliveryAttempt.objects.create(delivery=lead.deliveries.get(destination="tried"), **attempt)
    receivers = erase([lead], FileStore(leads_dir))
    assert [(receiver.destination, receiver.delivered_at is not None) for receiver in receivers] == [
        ("crm", True),
        ("tried", False),
    ]
    found = dict(lead.deliveries.values_list("destination", "state"))
    assert found == {"crm": "delivered", "held": "dead", "mail": "dead", "tried": "dead"}
    assert set(lead.deliveries.filter(state="dead").values_list("reason", flat=True)) == {"erased"}


@pytest.mark.postgres
def test_a_person_is_found_by_the_address_in_any_case_and_by_nothing_alike() -> None:
    mine = make_lead("Canary_7@Person.example")
    make_lead("canaryx7@person.example")  # "_" is no wildcard
    make_lead("other.canary_7@person.example")
    assert list(find_person(" canary_7@person.EXAMPLE ")) == [mine]


@pytest.mark.postgres
@pytest.mark.parametrize("keys", [(), (new_key(),)])
def test_a_person_is_found_by_the_address_as_people_write_it(settings: Settings, keys: tuple[str, ...]) -> None:
    """Browsers send the domain in ASCII, forms without scripts and the API as it was typed."""
    settings.LEADS_KEYS = keys
    ascii, typed = make_lead("info@xn--mller-shne-kcb9d.de"), make_lead("Info@Müller-Söhne.de")
    make_lead("info@mueller-soehne.de")
    for address in (
        "info@müller-söhne.de",
        "INFO@MÜLLER-SÖHNE.DE",
        "info@XN--mller-shne-kcb9d.de",
        " info@mu\u0308ller-söhne.de\u200b",
    ):
        assert {*find_person(address)} == {ascii, typed}, address
    cyrillic = make_lead("анна@почта.рф")
    assert list(find_person("АННА@ПОЧТА.РФ")) == list(find_person("анна@xn--80a1acny.xn--p1ai")) == [cyrillic]
    assert not find_person("nobody") and not find_person("@") and not find_person("")


@pytest.mark.postgres
def test_who_is_interrupted_between_files_and_row_can_do_it_again(leads_dir: Path, monkeypatch) -> None:
    lead = make_lead()

    class PowerCut(Exception):
        pass

    def cut():
        raise PowerCut

    monkeypatch.setattr(erasure, "durable_transaction", cut)
    with pytest.raises(PowerCut):
        erase([lead], FileStore(leads_dir))
    assert stored_files(leads_dir) == []
    monkeypatch.setattr(erasure, "durable_transaction", durable_transaction)
    erase(find_person("canary_7@person.example"), FileStore(leads_dir))
    assert not any(canary in dump() for canary in CANARIES)


@pytest.mark.postgres
def test_purge_takes_those_whose_time_is_over(leads_dir: Path, monkeypatch) -> None:
    monkeypatch.setattr(erasure, "_AT_ONCE", 2)
    old = {make_lead(months=13).pk for _ in range(5)}
    young = make_lead(months=11)
    before = subtract_months(timezone.now(), 12)
    assert purge(before, FileStore(leads_dir)) == 5
    assert set(Lead.objects.exclude(erased_at=None).values_list("pk", flat=True)) == old
    assert len(stored_files(leads_dir)) == 1
    assert purge(before, FileStore(leads_dir)) == 0
    young.refresh_from_db()
    assert young.fields["contact"]["name"] == "Canary-Name"


def test_purging_is_done_by_the_way(leads_dir: Path, settings: Settings, monkeypatch) -> None:
    settings.LEADS_KEPT_MONTHS = 3
    old, young = make_lead(months=4), make_lead(months=2)
    monkeypatch.setattr(housekeeping, "_next_at", 0.0)
    accept_lead(post(name="another"))
    old.refresh_from_db()
    young.refresh_from_db()
    assert old.erased_at is not None
    assert young.erased_at is None


def test_a_clock_that_runs_ahead_erases_nothing_by_itself(
    leads_dir: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    for _ in range(20):
        make_lead()
    ahead = timezone.now() + timedelta(days=400)
    monkeypatch.setattr(housekeeping, "_next_at", 0.0)
    monkeypatch.setattr(timezone, "now", lambda: ahead)
    accept_lead(post(name="the first after the jump"))
    assert Lead.objects.filter(erased_at=None).count() == 21
    assert (
        "The retention period of 20 leads is over, but they were NOT removed: 20 of 21 would be removed at once."
        in caplog.text
    )
    assert "portolan retention remove leads" in caplog.text


def test_a_few_leads_outlive_a_clock_that_jumps_while_it_is_watched(
    leads_dir: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    make_lead()
    today = timezone.now()
    store = FileStore(leads_dir)
    monkeypatch.setattr(housekeeping, "_next_at", 0.0)
    housekeeping.tidy(store)
    monkeypatch.setattr(timezone, "now", lambda: today + timedelta(days=400))
    for _ in range(2):  # it refuses each time
        monkeypatch.setattr(housekeeping, "_next_at", 0.0)
        housekeeping.tidy(store)
        assert Lead.objects.filter(erased_at=None).count() == 1
    assert f"but the last passed check was on {today:%Y-%m-%d}" in caplog.text


def test_a_year_is_the_default(settings: Settings) -> None:
    assert settings.LEADS_KEPT_MONTHS == 12


@pytest.fixture
def run(leads_dir: Path, monkeypatch):
    """``portolan leads …``, over this test's files."""
    settings = env().model_copy(update={"var_dir": leads_dir.parent})
    monkeypatch.setattr(commands, "env", lambda: settings)

    def call(*arguments: str, **options: str) -> Result:
        return CliRunner().invoke(commands.command, arguments, **options)

    return call


def test_the_command_erases_a_person_and_says_who_is_to_be_asked(run, leads_dir: Path) -> None:
    lead = make_lead(crm="delivered")
    result = run("erase", "canary_7@person.example", input="y\n")
    assert result.exit_code == 0, result.output
    assert "Erased 1 lead." in result.output
    assert f"crm: lead {lead.pk} ({timezone.now():%Y-%m-%d}" in result.output
    assert stored_files(leads_dir) == []
    assert "No lead" in run("erase", "canary_7@person.example").output


def test_the_command_asks_first(run, leads_dir: Path) -> None:
    make_lead()
    assert run("erase", "canary_7@person.example", input="n\n").exit_code == 1
    assert len(stored_files(leads_dir)) == 1


def test_the_command_says_what_it_cannot_see(run, leads_dir: Path) -> None:
    (leads_dir / "spool").mkdir(parents=True)
    for name in ("1-a.json", "2-b.bad", ".put"):
        (leads_dir / "spool" / name).write_text("{}")
    assert "2 leads in the spool cannot be read" in run("erase", "canary_7@person.example").output


def test_the_command_asks_before_it_erases_many(run, leads_dir: Path) -> None:
    for _ in range(11):
        make_lead(months=13)
    refused = run("purge", input="n\n")
    assert refused.exit_code == 1
    assert "11 of 11 would be removed at once" in refused.output
    assert run("purge").exit_code == 1  # needs a terminal for the confirmation
    assert Lead.objects.filter(erased_at=None).count() == 11
    assert "Erased 11 leads" in run("purge", "--yes").output


def test_the_command_purges(run) -> None:
    old = make_lead(months=4)
    assert "Erased 0 leads" in run("purge").output
    assert "Erased 1 lead " in run("purge", "--older-than", "3").output
    old.refresh_from_db()
    assert timezone.now() - old.erased_at < timedelta(minutes=1)
