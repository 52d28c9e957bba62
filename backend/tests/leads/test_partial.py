"""A visitor leaves a form with consent to use it: stored as a partial submission, never forwarded, and replaced by the
whole form.
"""

import json
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import OperationalError, connection
from django.utils import timezone
from pytest_django import Settings

from portolan.leads import accept, repeats
from portolan.leads.accept import Receipt, accept_lead
from portolan.leads.erasure import erase
from portolan.leads.file_store import FileStore
from portolan.leads.inbox import mark_not_spam, mark_spam
from portolan.leads.models import Answer, Delivery, Lead, LeadFile
from portolan.leads.refusals import LeadRefused
from portolan.leads.repeats import find_partial
from portolan.leads.spool import open_spool, replay_spool
from portolan.sites.destinations import Mailbox

from .conftest import PDF, post

PARTIAL: dict[str, str | None] = {"begun": "true", "step": "4", "message": None}
CV = ("attachments[0]", "cv.pdf", PDF)


@pytest.fixture(autouse=True)
def one_destination(settings: Settings) -> None:
    entry = Mailbox(name="crm", kind="email", to=["sales@brightmoor.example"])
    settings.SITES_REGISTRY = settings.SITES_REGISTRY.model_copy(update={"destinations": [entry]})


def leave(name: str = "k", **changes: str | None) -> Receipt:
    return accept_lead(post({**PARTIAL, **changes}, name=name))


def finish(name: str = "k", **changes: str | None) -> Receipt:
    return accept_lead(post(dict(changes), [CV], name=name))


def id_of(receipt: Receipt) -> str:
    return str(json.loads(receipt.body)["id"])


@pytest.mark.django_db
class TestPartial:
    @pytest.mark.postgres
    def test_it_is_stored_with_its_step_and_handed_on_to_nobody(self) -> None:
        lead = Lead.objects.get(pk=id_of(leave()))
        assert (lead.is_begun, lead.state, lead.fields["step"]) == (True, "open", 4)
        assert "begun" not in lead.fields
        assert not Delivery.objects.exists()

    def test_without_leave_to_use_it_nothing_is_stored(self) -> None:
        for accepted in (None, "false"):
            with pytest.raises(LeadRefused):
                leave(privacyAccepted=accepted)
        assert not Lead.objects.exists()

    @pytest.mark.postgres
    def test_the_whole_form_takes_its_place_and_is_delivered_once(self) -> None:
        leave()
        receipt = finish()
        lead = Lead.objects.get()
        assert (str(lead.pk), lead.is_begun, lead.fields["message"]) == (id_of(receipt), False, "We move containers.")
        assert Delivery.objects.get().lead_id == LeadFile.objects.get().lead_id == lead.pk
        assert finish() == receipt
        assert Lead.objects.count() == Delivery.objects.count() == 1

    @pytest.mark.postgres
    def test_what_is_left_later_takes_the_place_of_what_was_left_before(self) -> None:
        first = leave()
        assert leave() == first, "nothing has changed"
        leave(months="6")
        lead = Lead.objects.get()
        assert (lead.is_begun, lead.fields["months"]) == (True, 6)

    def test_what_was_begun_comes_too_late_after_the_whole(self) -> None:
        receipt = finish()
        assert leave() == receipt
        lead = Lead.objects.get()
        assert not lead.is_begun

    @pytest.mark.postgres
    def test_one_that_becomes_whole_while_it_is_looked_up_is_no_other_form(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        leave()
        receipts = []

        def overtake(answer: Answer) -> Lead | None:
            monkeypatch.undo()
            receipts.append(finish())
            return find_partial(answer)

        monkeypatch.setattr(repeats, "find_partial", overtake)
        assert [finish()] == receipts

    def test_another_whole_form_is_refused_as_ever(self) -> None:
        leave()
        finish()
        with pytest.raises(LeadRefused):
            finish(message="Another")

    def test_another_form_of_the_same_person_is_another_lead(self) -> None:
        leave("one")
        finish("two")
        assert Lead.objects.filter(is_begun=True).count() == Lead.objects.filter(is_begun=False).count() == 1

    def test_who_looks_after_it_goes_on_and_spam_stays_spam(self) -> None:
        user = User.objects.create(username="sales")
        begun = Lead.objects.get(pk=id_of(leave()))
        Lead.objects.update(assigned_to=user)
        mark_spam([begun.pk])
        mark_not_spam([begun.pk])
        assert not Delivery.objects.exists(), "nobody gets what was not sent"
        mark_spam([begun.pk])
        finish()
        lead = Lead.objects.get()
        assert (lead.assigned_to, lead.state, Delivery.objects.get().state) == (user, "spam", "held")

    def test_one_that_was_erased_is_counted_and_stays_erased(self, leads_dir: Path) -> None:
        erase(Lead.objects.filter(pk=id_of(leave())), FileStore(leads_dir))
        finish()
        assert Lead.objects.exclude(erased_at=None).get().fields == {}
        assert Lead.objects.get(erased_at=None).is_begun is False


@pytest.mark.postgres
@pytest.mark.django_db
@pytest.mark.parametrize("order", ["begun-whole", "whole-begun", "whole-begun-whole", "begun-begun-whole"])
def test_in_the_spool_the_whole_one_wins_in_any_order(
    order: str, leads_dir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: Any) -> None:
        raise OperationalError("away")

    months = iter("123")
    with monkeypatch.context() as away:
        away.setattr(accept, "find_answer", fail)
        for which in order.split("-"):
            assert not (finish() if which == "whole" else leave(months=next(months))).is_stored
    replay_spool(FileStore(leads_dir))
    lead = Lead.objects.get()
    assert (lead.is_begun, LeadFile.objects.count(), Delivery.objects.count()) == (False, 1, 1)
    assert open_spool(leads_dir).list() == []
    assert timezone.now() >= lead.created_at


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
def test_of_both_at_once_the_whole_one_is_left(leads_dir: Path) -> None:
    def send(kind: str) -> None:
        try:
            leave() if kind == "begun" else finish()
        finally:
            connection.close()

    with ThreadPoolExecutor(6) as pool:
        list(pool.map(send, ["begun", "whole"] * 3))
    replay_spool(FileStore(leads_dir))  # on SQLite a writer may find the table locked: its lead is in the spool
    lead = Lead.objects.get()
    assert not lead.is_begun
    assert Delivery.objects.count() == LeadFile.objects.count() == 1
