"""What people may do to deliveries: hold them, release them, try again what was given up. Everything else is done by
the worker. Each function is one conditional update, so that it is safe while the worker has the same delivery.
"""

from collections.abc import Collection
from uuid import UUID

from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils import timezone

from .models import Delivery, Lead
from .outbox import wake_worker

_HANDED_ON = (Lead.State.OPEN, Lead.State.DONE)


def replay(deliveries: QuerySet[Delivery]) -> int:
    """Try those anew that were given up or have failed so far, with the whole schedule before them; returns how many.

    Not those of a lead that is quarantined or spam, and not of one that was erased: there is nothing to send.
    """
    stuck = Q(state=Delivery.State.DEAD) | Q(state=Delivery.State.PENDING, attempts__gt=0)
    wanted = deliveries.filter(stuck, lead__state__in=_HANDED_ON, lead__erased_at=None)
    return _make_due(Delivery.objects.filter(pk__in=wanted.values("pk")), attempts=0)


def release(leads: Collection[UUID]) -> int:
    """Held deliveries are due now, because somebody has looked at the lead."""
    return _make_due(Delivery.objects.filter(lead__in=leads, state=Delivery.State.HELD))


def hold(leads: Collection[UUID]) -> int:
    """Send nothing more until somebody has looked. A delivery that is being sent at this moment may still arrive."""
    pending = Delivery.objects.filter(lead__in=leads, state=Delivery.State.PENDING)
    return pending.update(state=Delivery.State.HELD)


def cancel(leads: Collection[UUID], reason: str) -> int:
    """Give up what is not delivered yet."""
    waiting = Delivery.objects.filter(lead__in=leads, state__in=(Delivery.State.PENDING, Delivery.State.HELD))
    return waiting.update(state=Delivery.State.DEAD, reason=reason)


def _make_due(deliveries: QuerySet[Delivery], **more: int) -> int:
    count = deliveries.update(state=Delivery.State.PENDING, next_at=timezone.now(), **more)
    transaction.on_commit(wake_worker)
    return count
