"""Erase personal data of leads: of one person on request, and of all after the retention period.

The row stays for counting, with site, form, time, flags and state.
"""

import logging
from collections.abc import Iterable
from datetime import datetime
from typing import Final, NamedTuple
from uuid import UUID

from django.db.models import Q, QuerySet
from django.utils import timezone

from ..domain.email_addresses import fold_address
from .durable import durable_transaction, forget_log
from .file_store import FileStore
from .models import Delivery, Lead, LeadFile, LeadWord
from .replay import cancel
from .sealing import rows_where

ERASED: Final = "erased"
_AT_ONCE: Final = 500

_log = logging.getLogger(__name__)


class Receiver(NamedTuple):
    """A destination that has received an erased lead, to be asked to erase it too."""

    lead: UUID
    destination: str
    delivered_at: datetime | None
    """None: a try failed, but may have arrived."""


def find_person(email: str) -> QuerySet[Lead]:
    """Return the leads with this address, in any spelling."""
    wanted = fold_address(email)
    living = Lead.objects.filter(erased_at=None)
    found = rows_where(living, lambda fields: fold_address(str(fields.get("contact", {}).get("email", ""))) == wanted)
    return living.filter(pk__in=found)


def find_older(than: datetime) -> QuerySet[Lead]:
    return Lead.objects.filter(erased_at=None, created_at__lt=than)


def erase(leads: Iterable[Lead], store: FileStore) -> list[Receiver]:
    """Remove fields, files and token of each lead, and cancel its open deliveries. Return its receivers."""
    receivers: list[Receiver] = []
    for lead in leads:
        # Files first: after an interruption, the rows that name them still exist for the next try.
        for path in lead.files.values_list("path", flat=True):
            store.remove(path)
        with durable_transaction():
            cancel([lead.pk], ERASED)
            LeadFile.objects.filter(lead=lead).delete()
            LeadWord.objects.filter(lead=lead).delete()
            Lead.objects.filter(pk=lead.pk).exclude(state=Lead.State.SPAM).update(state=Lead.State.DONE)
            Lead.objects.filter(pk=lead.pk).update(
                fields={}, captcha_token="", assigned_to=None, erased_at=timezone.now()
            )
        receivers += _receivers(lead)
        _log.info("Lead %s was erased.", lead.pk)
    forget_log()
    return receivers


def purge(before: datetime, store: FileStore) -> int:
    """Erase older leads. Return their number."""
    count = 0
    while some := list(find_older(before).order_by("created_at")[:_AT_ONCE]):
        erase(some, store)
        count += len(some)
    return count


def _receivers(lead: Lead) -> list[Receiver]:
    tried = Q(state=Delivery.State.DELIVERED) | Q(attempts__gt=0) | Q(history__isnull=False)
    reached = Delivery.objects.filter(tried, lead=lead)
    found = reached.distinct().order_by("destination").values_list("destination", "delivered_at")
    return [Receiver(lead.pk, destination, at) for destination, at in found]
