"""People's decisions about leads, and their effects on deliveries."""

from collections.abc import Callable
from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.utils import timezone

from portolan.leads.inbox import assign, mark_done, mark_not_spam, mark_spam, reopen
from portolan.leads.models import Delivery, Lead
from portolan.leads.replay import cancel, hold, release, replay

pytestmark = pytest.mark.django_db

LATER = timedelta(hours=5)


def make_lead(state: str = Lead.State.OPEN, erased: bool = False, **deliveries: str) -> Lead:
    """Make a lead with deliveries by destination. Each has two attempts unless it is new."""
    lead = Lead.objects.create(
        site="de", form="contact", fields={}, state=state, created_at=timezone.now(), captcha_token="no-token"
    )
    for name, given in deliveries.items():
        Delivery.objects.create(
            lead=lead,
            destination=name,
            state=given.removeprefix("new-"),
            attempts=0 if given.startswith("new-") else 2,
            next_at=timezone.now() + LATER,
            reason="503",
        )
    if erased:
        Lead.objects.filter(pk=lead.pk).update(erased_at=timezone.now())
    return lead


def states(lead: Lead) -> dict[str, str]:
    return dict(lead.deliveries.order_by("destination").values_list("destination", "state"))


@pytest.mark.postgres
def test_replay_takes_what_was_given_up_and_what_has_failed_and_nothing_else() -> None:
    lead = make_lead(crm="dead", mail="pending", new="new-pending", held="held", done="delivered")
    assert replay(lead.deliveries.all()) == 2
    due = lead.deliveries.filter(next_at__lte=timezone.now(), attempts=0, state=Delivery.State.PENDING)
    assert {delivery.destination for delivery in due} == {"crm", "mail"}
    assert states(lead) == {
        "crm": "pending",
        "mail": "pending",
        "new": "pending",
        "held": "held",
        "done": "delivered",
    }


def test_replay_takes_only_those_it_was_asked_for() -> None:
    lead, other = make_lead(crm="dead", mail="dead"), make_lead(crm="dead")
    assert replay(lead.deliveries.filter(destination="crm")) == 1
    assert states(lead)["mail"] == states(other)["crm"] == "dead"


@pytest.mark.parametrize("state", ["quarantined", "spam"])
def test_replay_sends_nothing_that_nobody_has_let_go(state: str) -> None:
    lead = make_lead(state, crm="dead")
    assert replay(lead.deliveries.all()) == 0
    assert states(lead) == {"crm": "dead"}


def test_replay_sends_nothing_of_an_erased_lead() -> None:
    assert replay(make_lead(erased=True, crm="dead").deliveries.all()) == 0


@pytest.mark.postgres
def test_release_makes_due_what_is_held() -> None:
    lead = make_lead(crm="held", mail="dead")
    assert release([lead.pk]) == 1
    assert states(lead) == {"crm": "pending", "mail": "dead"}
    assert lead.deliveries.get(destination="crm").next_at <= timezone.now()


def test_hold_holds_what_waits() -> None:
    lead = make_lead(crm="pending", mail="delivered", other="dead")
    assert hold([lead.pk]) == 1
    assert states(lead) == {"crm": "held", "mail": "delivered", "other": "dead"}


def test_cancel_gives_up_what_is_not_delivered_and_says_why() -> None:
    lead = make_lead(crm="pending", held="held", mail="delivered")
    assert cancel([lead.pk], "erased") == 2
    assert states(lead) == {"crm": "dead", "held": "dead", "mail": "delivered"}
    assert lead.deliveries.get(destination="crm").reason == "erased"


def test_spam_and_back_holds_and_releases() -> None:
    lead = make_lead(crm="pending", mail="delivered")
    assert mark_spam([lead.pk]) == 1
    assert states(lead) == {"crm": "held", "mail": "delivered"}
    assert mark_not_spam([lead.pk]) == 1
    assert states(lead) == {"crm": "pending", "mail": "delivered"}
    lead.refresh_from_db()
    assert lead.state == Lead.State.OPEN


def test_a_quarantined_lead_is_released() -> None:
    lead, other = make_lead("quarantined", crm="held"), make_lead("quarantined", crm="held")
    assert mark_not_spam([lead.pk]) == 1
    assert states(lead) == {"crm": "pending"}
    assert states(other) == {"crm": "held"}


@pytest.mark.parametrize(
    ("decide", "before", "after"),
    [
        (mark_done, "open", "done"),
        (mark_done, "quarantined", "quarantined"),
        (mark_done, "spam", "spam"),
        (reopen, "done", "open"),
        (reopen, "spam", "spam"),
        (mark_not_spam, "done", "done"),
        (mark_spam, "done", "spam"),
        (mark_spam, "quarantined", "spam"),
        (mark_spam, "spam", "spam"),
    ],
)
def test_a_decision_that_does_not_fit_changes_nothing(decide, before: str, after: str) -> None:
    lead = make_lead(before)
    assert decide([lead.pk]) == int(before != after)
    lead.refresh_from_db()
    assert lead.state == after


@pytest.mark.parametrize("decide", [mark_spam, mark_not_spam, mark_done, reopen])
def test_an_erased_lead_stays_as_it_is(decide) -> None:
    for state in Lead.State.values:
        lead = make_lead(state, erased=True)
        assert decide([lead.pk]) == 0
        lead.refresh_from_db()
        assert lead.state == state


def test_leads_are_given_to_somebody_and_to_nobody() -> None:
    lead, erased = make_lead(), make_lead(erased=True)
    user = User.objects.create_user("sales")
    assert assign([lead.pk, erased.pk], user) == 1
    lead.refresh_from_db()
    assert lead.assigned_to == user
    assert assign([lead.pk], None) == 1
    lead.refresh_from_db()
    assert lead.assigned_to is None


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(
    ("decide", "state"),
    [(lambda lead: replay(lead.deliveries.all()), "dead"), (lambda lead: release([lead.pk]), "held")],
)
def test_the_worker_hears_of_what_is_due_when_it_can_see_it(
    monkeypatch: pytest.MonkeyPatch, decide: Callable[[Lead], int], state: str
) -> None:
    lead = make_lead(crm=state)
    seen: list[dict[str, str]] = []
    monkeypatch.setattr("portolan.leads.replay.wake_worker", lambda: seen.append(states(lead)))
    assert decide(lead) == 1
    assert seen == [{"crm": "pending"}]
