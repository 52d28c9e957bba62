"""Check cheaply if the dashboard may have changed: by one query and the times of the publisher's files.

Other changes, such as roles or due dates, are found within a minute.
"""

from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

from django.conf import settings
from django.db import connection
from django.utils import timezone
from wagtail.models import ModelLogEntry, PageLogEntry, Revision

from ...builds.live import live_file
from ...cdn.purged import purged_file
from ...content.change_sets.models import ChangeSet, ChangeSetItem, ChangeSetNotice
from ...leads.models import Lead
from ...publisher.outcome import outcome_file
from ...releases.models import LiveRequest, PendingChange, Release, Verification
from .own_sites import OwnSites

_NUMBERED: Final[tuple[Any, ...]] = (
    Release, PendingChange, LiveRequest, Verification, Revision, ModelLogEntry, PageLogEntry, ChangeSet, ChangeSetItem,
    ChangeSetNotice,
)  # fmt: skip
_GROWING: Final[tuple[tuple[Any, str], ...]] = (
    *((model, model._meta.pk.column) for model in _NUMBERED),
    (Lead, "created_at"),  # their keys are random
)
"""A new row in one of these tables means a change, because the studio logs every action."""


def mark_now(user_id: int, own: OwnSites) -> str:
    said = (user_id, own.keys, _newest_rows(), list(_times_of_files()), timezone.now().replace(second=0, microsecond=0))
    return sha256(repr(said).encode()).hexdigest()[:16]


def _newest_rows() -> tuple[Any, ...]:
    quote = connection.ops.quote_name
    newest = (
        f"(SELECT max({quote(column)}) FROM {quote(model._meta.db_table)})"  # noqa: S608  (names of ours)
        for model, column in _GROWING
    )
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT {', '.join(newest)}")
        row: tuple[Any, ...] = cursor.fetchone()
    return row


def _times_of_files() -> Iterator[int]:
    root: Path = settings.BUILDS_DIR
    outcomes = sorted(root.glob(f"{outcome_file(root).stem}*.json"))
    for file in (live_file(root), purged_file(root), *outcomes):
        try:
            yield file.stat().st_mtime_ns
        except OSError:
            yield 0
