"""Deleted pages are kept for some days, and then go for good, by themselves."""

import logging
import time
from datetime import datetime, timedelta
from typing import Final, NamedTuple

from django.conf import settings
from django.db import Error, transaction
from django.utils import timezone
from wagtail.models import Page

from ..retention.check import doubt, note_doubt, note_seen
from .models import DeletedPage

SUBJECT: Final = "deleted pages"
_EVERY_S: Final = 3600
_log: Final = logging.getLogger(__name__)
_next_at = 0.0


class Overdue(NamedTuple):
    holders: list[int]
    doubt: str
    """Why a person has to confirm, as the end of a sentence; empty if nobody has to."""


def kept_days() -> int:
    """0: until somebody removes them."""
    return int(settings.SITES_REGISTRY.retention.deleted_page_days)


def find_overdue(now: datetime) -> Overdue:
    days = kept_days()
    before = now - timedelta(days=days)
    holders = DeletedPage.objects.filter(deleted_at__lt=before) if days else DeletedPage.objects.none()
    ids = list(holders.order_by("pk").values_list("pk", flat=True))
    return Overdue(ids, doubt(SUBJECT, len(ids), Page.objects.count() if ids else 0, now))


def remove_overdue(now: datetime, is_confirmed: bool = False) -> int:
    """Returns how many went for good, with what is below them. In doubt none does, unless somebody has confirmed it."""
    found = find_overdue(now)
    if found.doubt and not is_confirmed:
        note_doubt(SUBJECT, len(found.holders), found.doubt)
        return 0
    for id in found.holders:
        with transaction.atomic():
            held = DeletedPage.objects.filter(pk=id).first()
            if held is not None:  # else somebody has restored it meanwhile
                held.delete()
    note_seen(SUBJECT, now, is_confirmed)
    return len(found.holders)


def empty() -> None:
    """What is overdue, at most once an hour. A failure is logged: nobody else is to suffer from it."""
    global _next_at
    if time.monotonic() < _next_at:
        return
    _next_at = time.monotonic() + _EVERY_S
    try:
        if count := remove_overdue(timezone.now()):
            _log.info("%d deleted pages were kept for %d days and are gone for good now", count, kept_days())
    except Error as error:
        _log.error("Deleted pages whose time is over could not be removed: %s. That is tried again in an hour.", error)
