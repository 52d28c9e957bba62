"""With a key, people's texts are in no byte of the database. They can still be read, searched, delivered and erased."""

import json
from datetime import timedelta
from pathlib import Path

import pytest
from click.testing import CliRunner
from django.contrib.auth.models import User
from django.db import connection, transaction
from django.utils import timezone
from pytest_django import Settings

from portolan.commands import leads as leads_command
from portolan.leads import accept
from portolan.leads.accept import accept_lead
from portolan.leads.delivery_worker import DeliveryWorker
from portolan.leads.destinations.base import Payload
from portolan.leads.durable import forget_log
from portolan.leads.erasure import find_person
from portolan.leads.file_store import FileStore
from portolan.leads.models import Delivery, Lead
from portolan.leads.sealing import (
    SEALED,
    NoKey,
    Unreadable,
    count_open,
    count_unreadable,
    new_key,
    rows_where,
    seal_again,
)
from portolan.leads.spool import open_spool, replay_spool
from portolan.sites.destinations import Mailbox
from portolan.studio.leads.find import LeadFilter

from .conftest import FORM, post

KEYS = tuple(new_key() for _ in range(2))
CANARY = "Canary-of-a-lead-7f3a"


@pytest.fixture
def with_key(settings: Settings) -> Settings:
    settings.LEADS_KEYS = KEYS[:1]
    return settings


def take(message: str = CANARY) -> Lead:
    receipt = accept_lead(post({"message": message}))
    return Lead.objects.get(pk=json.loads(receipt.body)["id"])


def stored() -> dict[str, str]:
    """Return the only row, as in the database."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT fields FROM leads_lead")
        found: dict[str, str] = json.loads(cursor.fetchone()[0])
    return found


@pytest.mark.postgres
@pytest.mark.django_db
def test_it_is_sealed_on_its_way_in_and_open_on_its_way_out(with_key: Settings) -> None:
    lead = take()
    assert stored().keys() == {SEALED}
    assert CANARY not in json.dumps(stored())
    assert lead.fields["message"] == CANARY
    lead.state = Lead.State.DONE
    lead.save()
    assert Lead.objects.get().fields["message"] == CANARY, "sealed once"
    Lead.objects.update(fields={})
    assert stored() == {}


@pytest.mark.postgres
@pytest.mark.django_db
def test_it_is_found_by_search_and_person_beside_what_was_stored_before(settings: Settings, rf: object) -> None:
    before = take("Ships and their crews")
    settings.LEADS_KEYS = KEYS[:1]
    after = take("Ships and their cargo")
    ada = User.objects.create_user("ada")

    def search(words: str) -> set[Lead]:
        return {*LeadFilter({"q": words, "state": "all"}, {""}).find(Lead.objects.all(), ada)}

    assert search("SHIPS") == search("operations@northwind") == {before, after}
    assert search("ships cargo") == {after}
    assert search("crews") == {before}
    assert search("elsewhere") == set()
    assert {*find_person(FORM["contact[email]"].upper())} == {before, after}
    settings.LEADS_KEYS = ()
    assert {*find_person(FORM["contact[email]"])} == {before}


@pytest.mark.postgres
@pytest.mark.django_db
def test_without_its_key_nothing_of_it_is_shown_saved_or_sent(with_key: Settings) -> None:
    entry = Mailbox(name="crm", kind="email", to=["sales@brightmoor.example"])
    with_key.SITES_REGISTRY = with_key.SITES_REGISTRY.model_copy(update={"destinations": [entry]})
    take()
    sent: list[Payload] = []

    class Receiver:
        name = "crm"

        def send(self, payload: Payload, now: object) -> str:
            sent.append(payload)
            return "returned 200"

    def deliver(ahead: timedelta = timedelta()) -> None:
        clock = lambda: timezone.now() + ahead  # noqa: E731
        DeliveryWorker(Receiver(), Path, lambda _: None, clock, lambda _: 0).run_due()  # type: ignore[arg-type]

    for keys in ((), KEYS[1:]):
        with_key.LEADS_KEYS = keys
        lead = Lead.objects.get()
        assert lead.fields == Unreadable()
        assert count_unreadable(Lead) == 1
        assert rows_where(Lead.objects.all(), lambda fields: True) == []
        with pytest.raises(NoKey, match="PORTOLAN_LEADS_KEY"), transaction.atomic():
            lead.save()
        deliver(timedelta(days=1) if keys else timedelta())
    assert sent == []
    delivery = Delivery.objects.get()
    assert (delivery.state, delivery.reason) == (
        Delivery.State.PENDING,
        "The lead is encrypted, and its key is missing in PORTOLAN_LEADS_KEY.",
    )
    with_key.LEADS_KEYS = (KEYS[1], KEYS[0])
    deliver(timedelta(days=2))
    assert [payload.fields["message"] for payload in sent] == [CANARY]


@pytest.mark.postgres
@pytest.mark.django_db
def test_keys_are_changed_and_what_was_there_before_is_sealed(settings: Settings) -> None:
    leads = [take(f"{CANARY} {number}") for number in range(2)]
    settings.LEADS_KEYS = KEYS[:1]
    leads.append(take(f"{CANARY} 2"))
    assert count_open(Lead) == 2
    settings.LEADS_KEYS = (KEYS[1], KEYS[0])
    assert sum(seal_again(Lead)) == 3
    assert count_open(Lead) == 0
    settings.LEADS_KEYS = KEYS[1:]
    assert [Lead.objects.get(pk=lead.pk).fields["message"] for lead in leads] == [f"{CANARY} {n}" for n in range(3)]
    settings.LEADS_KEYS = KEYS[:1]
    with pytest.raises(NoKey):
        list(seal_again(Lead))


@pytest.mark.django_db
@pytest.mark.parametrize("keys_at_replay", [KEYS[:1], ()])
def test_the_spool_holds_nothing_that_can_be_read(
    with_key: Settings, leads_dir: Path, monkeypatch: pytest.MonkeyPatch, keys_at_replay: tuple[str, ...]
) -> None:
    with monkeypatch.context() as patched:
        patched.setattr(accept, "_is_away", lambda: True)
        assert not accept_lead(post({"message": CANARY})).is_stored
    (file,) = open_spool(leads_dir).list()
    assert CANARY not in file.read_text()
    assert FORM["contact[email]"] not in file.read_text()
    with_key.LEADS_KEYS = keys_at_replay
    assert replay_spool(FileStore(leads_dir)) == 1
    with_key.LEADS_KEYS = KEYS[:1]
    assert Lead.objects.get().fields["message"] == CANARY


@pytest.mark.usefixtures("many_connections")
def test_what_was_readable_is_in_no_byte_of_the_files(settings: Settings, tmp_path: Path) -> None:
    if connection.vendor != "sqlite":
        pytest.skip("of SQLite's files")
    take()
    settings.LEADS_KEYS = KEYS[:1]
    list(seal_again(Lead))
    assert forget_log()
    assert not any(CANARY.encode() in path.read_bytes() for path in tmp_path.glob("test.sqlite3*"))


@pytest.mark.django_db
def test_commands_make_a_key_and_encrypt_the_leads_stored_before(settings: Settings) -> None:
    take()
    refused = CliRunner().invoke(leads_command.command, ["seal"])
    assert (refused.exit_code, "PORTOLAN_LEADS_KEY is empty" in refused.output) == (1, True)
    assert CANARY in json.dumps(stored())
    settings.LEADS_KEYS = (CliRunner().invoke(leads_command.command, ["new-key"]).stdout.strip(),)
    assert CliRunner().invoke(leads_command.command, ["seal"]).stdout == "Encrypted 1 lead.\n"
    assert stored().keys() == {SEALED}
