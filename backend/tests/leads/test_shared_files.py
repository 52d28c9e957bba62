"""Machines with separate disks, one database and one storage: leads keep their files."""

import json
import os
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from django.db import OperationalError
from django.test import override_settings
from pytest_django import Settings

from portolan.config.storages import describe_storage
from portolan.leads import accept, records, spool_keeper
from portolan.leads.accept import Receipt, accept_lead
from portolan.leads.delivery_worker import DeliveryWorker
from portolan.leads.destinations.base import Payload
from portolan.leads.erasure import erase
from portolan.leads.files_away import FilesAway
from portolan.leads.housekeeping import remove_leftovers
from portolan.leads.models import Delivery, Lead, LeadFile
from portolan.leads.open_store import open_store
from portolan.leads.shared_files import SharedFiles
from portolan.leads.spool import open_spool, replay_spool
from portolan.leads.spool_keeper import SpoolKeeper
from portolan.sites.destinations import Mailbox

from ..processes import LIMIT_S
from .conftest import PDF, PNG, File, post

FILES: list[File] = [("attachments[0]", "cv.pdf", PDF), ("attachments[1]", "berth.png", PNG)]

pytestmark = pytest.mark.django_db

On = Callable[[str], Any]


@pytest.fixture(autouse=True)
def shared(store_url: str, settings: Settings) -> SharedFiles:
    entry = Mailbox(name="crm", kind="email", to=["sales@brightmoor.example"])
    settings.SITES_REGISTRY = settings.SITES_REGISTRY.model_copy(update={"destinations": [entry]})
    settings.STORAGES = {**settings.STORAGES, "leads": describe_storage(store_url)}
    return SharedFiles(_storage())


def _storage() -> Any:
    from django.core.files.storage import storages

    return storages["leads"]


@pytest.fixture
def on(tmp_path: Path) -> On:
    """Inside ``with on("second"):``, use that machine's disk."""

    def machine(name: str) -> Any:
        return override_settings(LEADS_DIR=tmp_path / name)

    return machine


@contextmanager
def away(monkeypatch: pytest.MonkeyPatch, what: str) -> Iterator[None]:
    def fail(*_: Any, **__: Any) -> None:
        raise OperationalError

    def lost(*_: Any, **__: Any) -> None:
        raise FilesAway(TimeoutError())

    with monkeypatch.context() as patch:
        if what == "database":
            patch.setattr(accept, "find_answer", fail)
        elif what == "database at the end":
            patch.setattr(records, "make_deliveries", fail)
        else:
            patch.setattr(SharedFiles, "put", lost)
        yield
    monkeypatch.setattr(accept, "_away_until", 0.0)


class Taker:
    """A destination that receives files with their bytes."""

    name = "crm"

    def __init__(self) -> None:
        self.taken: dict[str, list[bytes]] = {}

    def send(self, payload: Payload, now: object) -> str:
        self.taken[payload.id] = [file.path.read_bytes() for file in payload.files]
        return "taken"


def deliver() -> Taker:
    taker = Taker()
    DeliveryWorker(taker, open_store().path, lambda _: None).run_due()
    return taker


def stored_files(machine: Path) -> list[Path]:
    return sorted(path for path in (machine / "files").rglob("*") if path.is_file())


def id_of(receipt: Receipt) -> str:
    return str(json.loads(receipt.body)["id"])


def names(shared: SharedFiles) -> list[str]:
    days = [lead.created_at.date() for lead in Lead.objects.all()]
    return sorted(name for _, names, _ in shared.find_folders(dict.fromkeys(days)) for name in names)


@pytest.mark.postgres
def test_a_lead_taken_by_one_machine_is_delivered_with_its_files_by_another(on: On, tmp_path: Path) -> None:
    with on("first"):
        lead = id_of(accept_lead(post(files=FILES)))
    assert stored_files(tmp_path / "first") == []
    with on("second"):
        assert deliver().taken == {lead: [PDF, PNG]}
        assert [open_store().path(file.path).read_bytes() for file in LeadFile.objects.all()] == [PDF, PNG]


def test_erasing_on_one_machine_leaves_no_file_on_any(on: On, shared: SharedFiles, tmp_path: Path) -> None:
    with on("first"):
        accept_lead(post(files=FILES))
        accept_lead(post({"message": "Another one"}, FILES))
    first, second = Lead.objects.order_by("created_at")
    with on("second"):
        erase([first], open_store())
    assert names(shared) == sorted(second.files.values_list("path", flat=True))
    with on("second"), pytest.raises(FileNotFoundError):
        open_store().path(f"{first.created_at.date()}/{first.pk}/x").read_bytes()


@pytest.mark.postgres
@pytest.mark.parametrize("what", ["database", "database at the end", "storage"])
def test_what_is_away_makes_lead_and_files_wait_on_the_disk_they_came_to(
    what: str, on: On, shared: SharedFiles, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with on("first"):
        with away(monkeypatch, what):
            receipt = accept_lead(post(files=FILES))
        assert not receipt.is_stored
        assert not Lead.objects.exists()
        assert len(stored_files(tmp_path / "first")) == 2
        with away(monkeypatch, "storage"):
            assert replay_spool(open_store()) == 0
            assert open_spool(tmp_path / "first").count() == 1
        assert replay_spool(open_store()) == 1
    assert stored_files(tmp_path / "first") == []
    assert names(shared) == sorted(LeadFile.objects.values_list("path", flat=True))
    with on("second"):
        assert deliver().taken == {id_of(receipt): [PDF, PNG]}


def test_an_api_where_nothing_delivers_stores_what_waits_in_its_spool(
    on: On, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with on("first"):
        with away(monkeypatch, "storage"):
            accept_lead(post(files=FILES))
        replayed = threading.Event()
        monkeypatch.setattr(
            spool_keeper, "replay_spool", lambda store: replayed.set()
        )  # the test's database is separate
        monkeypatch.setattr(spool_keeper, "require_fitting_database", lambda lock: None)
        keeper = SpoolKeeper(every_s=0.01)
        keeper.start()
        assert replayed.wait(LIMIT_S)
        keeper.end()


def test_a_lead_without_files_needs_no_storage(on: On, monkeypatch: pytest.MonkeyPatch) -> None:
    with on("first"), away(monkeypatch, "storage"):
        assert accept_lead(post()).is_stored


def test_a_delivery_waits_for_a_storage_that_is_away(on: On, monkeypatch: pytest.MonkeyPatch) -> None:
    with on("first"):
        accept_lead(post(files=FILES))

    def lost(*_: Any) -> None:
        raise FilesAway(TimeoutError())

    with on("second"):
        with monkeypatch.context() as patch:
            patch.setattr(SharedFiles, "open", lost)
            assert deliver().taken == {}
        delivery = Delivery.objects.get()
        assert (delivery.state, delivery.reason) == ("pending", "The storage of leads' files does not respond.")


def test_what_killed_processes_left_goes_from_disk_and_storage(
    on: On, shared: SharedFiles, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with on("first"):
        accept_lead(post(files=FILES))
    lead = Lead.objects.get()
    day = lead.created_at.date()
    stray, stored = "00000000-0000-4000-8000-000000000000", str(lead.pk)
    (tmp_path / "file").write_bytes(PDF)
    shared.put(f"{day}/{stray}/file", tmp_path / "file")
    left = (
        tmp_path / "first" / "files" / str(day) / stored
    )  # killed between storing the lead and removing the files that were handed over
    left.mkdir(parents=True)
    (left / "file").write_bytes(PDF)
    os.utime(left, (0, 0))
    with on("first"), away(monkeypatch, "database"):
        waiting = id_of(accept_lead(post({"message": "Another one"}, FILES)))
        os.utime(tmp_path / "first" / "files" / str(day) / waiting, (0, 0))
    with on("first"):
        assert remove_leftovers(open_store()) == 1, "young strays of a storage stay: a request may be at work"
        monkeypatch.setattr("portolan.leads.file_store.STRAY_AFTER_S", -3600)
        assert remove_leftovers(open_store()) == 1
    assert names(shared) == sorted(lead.files.values_list("path", flat=True))
    assert {file.parent.name for file in stored_files(tmp_path / "first")} == {waiting}


def test_a_refused_lead_leaves_nothing_in_the_storage(
    on: On, shared: SharedFiles, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: Any, **__: Any) -> None:
        raise accept.LeadNotStored

    monkeypatch.setattr(accept, "store_intake", refuse)
    with on("first"), pytest.raises(accept.LeadNotStored):
        accept_lead(post(files=FILES))
    from django.utils import timezone

    assert list(shared.find_folders([timezone.now().date()])) == []
