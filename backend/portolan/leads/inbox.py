"""Decisions about leads, and their effect on deliveries. Each function returns the number of changed leads.

Leads in another state are skipped, because two people may work on the same list. Erased leads never change.
"""

from collections.abc import Collection
from uuid import UUID

from django.contrib.auth.models import AbstractBaseUser
from django.db import transaction
from django.db.models import QuerySet

from .models import Lead
from .replay import hold, release


def mark_spam(leads: Collection[UUID]) -> int:
    """Mark leads as spam. Open deliveries are put on hold, and can be released again."""
    with transaction.atomic():
        changed = _living(leads).exclude(state=Lead.State.SPAM).update(state=Lead.State.SPAM)
        hold(leads)
    return changed


def mark_not_spam(leads: Collection[UUID]) -> int:
    """Reopen leads in quarantine or marked as spam, and release their deliveries."""
    with transaction.atomic():
        chosen = list(_in(leads, Lead.State.QUARANTINED, Lead.State.SPAM).values_list("pk", flat=True))
        changed = _in(chosen, Lead.State.QUARANTINED, Lead.State.SPAM).update(state=Lead.State.OPEN)
        release(chosen)
    return changed


def mark_done(leads: Collection[UUID]) -> int:
    return _in(leads, Lead.State.OPEN).update(state=Lead.State.DONE)


def reopen(leads: Collection[UUID]) -> int:
    return _in(leads, Lead.State.DONE).update(state=Lead.State.OPEN)


def assign(leads: Collection[UUID], user: AbstractBaseUser | None) -> int:
    """Assign the leads; None removes the assignment."""
    return _living(leads).update(assigned_to=user)


def _living(leads: Collection[UUID]) -> QuerySet[Lead]:
    return Lead.objects.filter(pk__in=leads, erased_at=None)


def _in(leads: Collection[UUID], *states: Lead.State) -> QuerySet[Lead]:
    return _living(leads).filter(state__in=states)
