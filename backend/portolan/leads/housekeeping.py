"""Remove leftovers of killed processes, and leads past their retention period. Runs at most once an hour."""

import logging
import threading
import time
from datetime import timedelta
from typing import Final

from django.conf import settings
from django.utils import timezone

from ..domain.months import subtract_months
from ..retention.guard import remove_overdue
from .durable import forget_log
from .file_store import FileStore
from .models import Answer, CaptchaSolution, Lead
from .repeats import ANSWERS_KEPT
from .retention import old_leads
from .spool import open_spool

EVERY_S: Final = 3600
_DAYS_LOOKED_AT: Final = 7

_log = logging.getLogger(__name__)
_running = threading.Lock()
_next_at = 0.0


def tidy(store: FileStore) -> None:
    """Tidy up, after a reply to a lead or from the delivery service. A failure is only logged."""
    global _next_at
    if time.monotonic() < _next_at or not _running.acquire(blocking=False):
        return
    try:
        _next_at = time.monotonic() + EVERY_S
        remove_leftovers(store)
        forget_log()
        now = timezone.now()
        remove_overdue(old_leads(subtract_months(now, settings.LEADS_KEPT_MONTHS), store), now)
    except Exception as error:  # its message may quote a lead
        _log.error(
            "Leftovers of leads and old leads could not be removed (%s). The next try is in an hour.",
            type(error).__name__,
        )
    finally:
        _running.release()


def remove_leftovers(store: FileStore) -> int:
    """Remove files without a lead, and old replies. Return the number of removed folders."""
    now = timezone.now()
    spooled = open_spool(store.root).lead_ids()  # first, so that the files of a lead that is stored meanwhile are known
    Answer.objects.filter(created_at__lt=now - ANSWERS_KEPT).delete()
    CaptchaSolution.objects.filter(expires_at__lt=now).delete()
    days = [(now - timedelta(days=back)).date() for back in range(_DAYS_LOOKED_AT)]
    recent = Lead.objects.filter(created_at__gte=now - timedelta(days=_DAYS_LOOKED_AT + 1))
    return store.remove_strays({str(id) for id in recent.values_list("pk", flat=True)}, spooled, days)
