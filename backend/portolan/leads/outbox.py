"""The outbox: create deliveries and claim the next one. Several workers may use it at once."""

from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Final

from django.conf import settings
from django.db import connection, transaction
from django.db.models import Min, Q

from ..releases.waking import wake_delivery
from .models import ClosedDestination, Delivery, Lead

CLAIMED_FOR: Final = timedelta(seconds=60)
"""Longer than any try. After this time, another worker takes over the claims of a killed one."""
FLUSHED_AGAIN_AFTER: Final = timedelta(minutes=10)
"""A delivery that fails for its own reasons is not tried again after each success of another one."""

_PENDING: Final = Delivery.State.PENDING


def make_deliveries(lead: Lead, now: datetime) -> list[Delivery]:
    """Return one delivery per destination of the lead's site, to be saved in the lead's transaction.

    A partial submission has none, so that each destination gets an enquiry once.
    """
    if lead.is_begun:
        return []
    is_held = lead.state in (Lead.State.QUARANTINED, Lead.State.SPAM)
    state = Delivery.State.HELD if is_held else _PENDING
    names = [rules.name for rules in settings.SITES_REGISTRY.destinations_of(lead.site)]
    return [Delivery(lead=lead, destination=name, state=state, next_at=now) for name in names]


def wake_worker() -> None:
    """Wake the delivery service. If the signal is lost, its regular check finds the delivery seconds later."""
    wake_delivery()


def claim(destination: str, now: datetime) -> Delivery | None:
    """Return the next due delivery, counted as tried and claimed for a minute, or None."""
    with transaction.atomic():
        due = (
            Delivery.objects.filter(destination=destination, state=_PENDING, next_at__lte=now)
            .filter(_is_free(now))
            .order_by("next_at", "pk")
        )
        if connection.features.has_select_for_update_skip_locked:
            due = due.select_for_update(skip_locked=True)  # SQLite locks the whole database for the transaction
        delivery = due.first()
        if delivery is None:
            return None
        delivery.attempts += 1
        delivery.claimed_until = now + CLAIMED_FOR
        delivery.save(update_fields=["attempts", "claimed_until"])
    return delivery


def find_next(destination: str, now: datetime) -> datetime | None:
    """Return when the next delivery to this destination is due, or None."""
    waiting = Delivery.objects.filter(destination=destination, state=_PENDING)
    free = waiting.filter(_is_free(now)).aggregate(at=Min("next_at"))["at"]
    claimed = waiting.exclude(_is_free(now)).aggregate(at=Min("claimed_until"))["at"]
    return min((at for at in (free, claimed) if at is not None), default=None)


def flush(destination: str, now: datetime) -> int:
    """Make all waiting deliveries to a destination due now, because it responds again. Return their number."""
    waiting = Delivery.objects.filter(destination=destination, state=_PENDING, next_at__gt=now).filter(
        Q(flushed_at=None) | Q(flushed_at__lt=now - FLUSHED_AGAIN_AFTER)
    )
    return waiting.update(next_at=now, flushed_at=now)


def is_closed(destination: str) -> bool:
    return ClosedDestination.objects.filter(pk=destination).exists()


def close(destination: str, now: datetime) -> None:
    ClosedDestination.objects.get_or_create(pk=destination, defaults={"closed_at": now})


def reopen(destination: str) -> bool:
    """Reopen a destination, and return whether it was closed. Failed deliveries can be sent again from the inbox."""
    count, _ = ClosedDestination.objects.filter(pk=destination).delete()
    return count > 0


def find_unknown(known: Iterable[str], now: datetime) -> list[str]:
    """Return destinations with due deliveries that are not in the site configuration."""
    due = Delivery.objects.filter(state=_PENDING, next_at__lte=now).exclude(destination__in=list(known))
    return list(due.order_by().values_list("destination", flat=True).distinct())


def _is_free(now: datetime) -> Q:
    return Q(claimed_until=None) | Q(claimed_until__lte=now)
