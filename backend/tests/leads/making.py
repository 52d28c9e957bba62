"""Stored leads with deliveries, a clock that tests move, and the check that none is lost."""

import uuid
from collections.abc import Collection, Iterable
from datetime import UTC, datetime, timedelta
from typing import Any

from portolan.leads.destinations.base import Payload
from portolan.leads.models import Delivery, Lead

CANARY = "Canary-7f3a"
START = datetime(2026, 11, 21, 9, 0, tzinfo=UTC)


class Clock:
    """``sleep`` moves it."""

    def __init__(self, now: datetime = START) -> None:
        self.now = now

    def __call__(self) -> datetime:
        return self.now

    def sleep(self, seconds: float) -> None:
        self.now += timedelta(seconds=seconds)


FIELDS: dict[str, Any] = {
    "contact": {"name": f"Head of {CANARY}", "email": f"{CANARY}@northwind.example", "company": f"{CANARY} Ltd."},
    "message": f"We move containers. {CANARY}",
    "services": ["devops", "web-development"],
    "team": [{"role": "Python developer", "count": 2}],
    "price": {"from": 52000.0, "to": 68000.5, "currency": "EUR"},
    "pageUrl": f"https://brightmoor.example/estimate?x={CANARY}",
    "privacyAccepted": True,
    "secondsOpen": 61.5,
    "extraField": CANARY,
}


def make_payload(**changes: Any) -> Payload:
    values: dict[str, Any] = {
        "id": "3b7a9f52-6c1e-4d8a-9f0b-5e2d7c4a1b6f",
        "site": "de",
        "form": "estimate",
        "created_at": START,
        "fields": FIELDS,
        "flags": ["no-captcha"],
        "spam_score": 15,
        "captcha_status": "unverified",
        "files": (),
    }
    return Payload(**{**values, **changes})


def make_lead(now: datetime = START, destinations: Iterable[str] = ("crm",), **changes: Any) -> Lead:
    values: dict[str, Any] = {"site": "en", "form": "contact", "fields": FIELDS, "captcha_token": "no-token"}
    lead = Lead.objects.create(created_at=now, **{**values, **changes})
    Delivery.objects.bulk_create(Delivery(lead=lead, destination=name, next_at=now) for name in destinations)
    return lead


def make_leads(count: int, now: datetime = START, destination: str = "crm") -> None:
    leads = [
        Lead(id=uuid.uuid4(), created_at=now, site="en", form="contact", fields=FIELDS, captcha_token="no-token")
        for _ in range(count)
    ]
    Lead.objects.bulk_create(leads)
    Delivery.objects.bulk_create(Delivery(lead=lead, destination=destination, next_at=now) for lead in leads)


def reconcile(acknowledged: Collection[str], received: Collection[str], destination: str = "crm") -> set[str]:
    """Check A ⊆ S and S = D ∪ Q, which hold at any moment. Return Q, the leads still to be delivered."""
    stored = {str(id) for id in Lead.objects.values_list("pk", flat=True)}
    rows = Delivery.objects.filter(destination=destination).values_list("lead", "state")
    delivered = {str(lead) for lead, state in rows if state == Delivery.State.DELIVERED}
    waiting = {str(lead) for lead, state in rows if state != Delivery.State.DELIVERED}
    assert set(acknowledged) <= stored, "a lead was acknowledged and is not stored"
    assert stored == delivered | waiting, "a lead has no delivery"
    assert delivered <= set(received), "a lead counts as delivered and nobody has received it"
    return waiting
