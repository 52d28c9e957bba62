"""Actions of people on deliveries: hold, release, send again.

The worker does everything else. Each function is one conditional update, so it is safe while the worker has the same
delivery.
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
    """Send failed deliveries again, with all tries. Return their number.

    Skips leads that are in quarantine, marked as spam or erased.
    """
    stuck = Q(state=Delivery.State.DEAD) | Q(state=Delivery.State.PENDING, attempts__gt=0)
    wanted = deliveries.filter(stuck, lead__state__in=_HANDED_ON, lead__erased_at=None)
    return _make_due(Delivery.objects.filter(pk__in=wanted.values("pk")), attempts=0)


def release(leads: Collection[UUID]) -> int:
    """Make held deliveries due, after an editor has checked the lead."""
    return _make_due(Delivery.objects.filter(lead__in=leads, state=Delivery.State.HELD))


def hold(leads: Collection[UUID]) -> int:
    """Put deliveries on hold until an editor has checked the lead. One that is being sent may still arrive."""
    pending = Delivery.objects.filter(lead__in=leads, state=Delivery.State.PENDING)
    return pending.update(state=Delivery.State.HELD)


def cancel(leads: Collection[UUID], reason: str) -> int:
    """Cancel deliveries that have not succeeded."""
    waiting = Delivery.objects.filter(lead__in=leads, state__in=(Delivery.State.PENDING, Delivery.State.HELD))
    return waiting.update(state=Delivery.State.DEAD, reason=reason)


def _make_due(deliveries: QuerySet[Delivery], **more: int) -> int:
    count = deliveries.update(state=Delivery.State.PENDING, next_at=timezone.now(), **more)
    transaction.on_commit(wake_worker)
    return count
