"""Empty the trash: delete pages permanently after some days."""

import logging
import time
from datetime import datetime, timedelta
from typing import Final

from django.conf import settings
from django.db import Error, transaction
from django.utils import timezone
from wagtail.models import Page

from ..retention.guard import Rule, remove_overdue
from .models import DeletedPage

SUBJECT: Final = "deleted pages"
_EVERY_S: Final = 3600
_log: Final = logging.getLogger(__name__)
_next_at = 0.0


def kept_days() -> int:
    """Return the days that pages stay in the trash; 0 for no limit."""
    return int(settings.SITES_REGISTRY.retention.deleted_page_days)


def old_pages(now: datetime) -> Rule:
    days = kept_days()
    holders = DeletedPage.objects.filter(deleted_at__lt=now - timedelta(days=days))
    holders = holders if days else DeletedPage.objects.none()
    return Rule(SUBJECT, holders.count, Page.objects.count, lambda: _remove(list(holders.values_list("pk", flat=True))))


def _remove(holders: list[int]) -> int:
    """Remove these pages and their child pages."""
    for id in holders:
        with transaction.atomic():
            held = DeletedPage.objects.filter(pk=id).first()
            if held is not None:  # else it was restored meanwhile
                held.delete()
    return len(holders)


def empty() -> None:
    """Delete overdue pages, at most once an hour. Failures are logged, so that they stop no other work."""
    global _next_at
    if time.monotonic() < _next_at:
        return
    _next_at = time.monotonic() + _EVERY_S
    try:
        now = timezone.now()
        if count := remove_overdue(old_pages(now), now):
            _log.info("%d pages were permanently deleted after %d days in the trash", count, kept_days())
    except Error as error:
        _log.error("The trash could not be emptied: %s. Next try in an hour.", error)
