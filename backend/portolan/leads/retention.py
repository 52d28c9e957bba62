"""Define the rule for leads past their retention period."""

from datetime import datetime
from typing import Final

from ..retention.guard import Rule, find_trusted_time, note_seen
from .erasure import find_older, purge
from .file_store import FileStore
from .models import Lead

SUBJECT: Final = "leads"


def old_leads(before: datetime, store: FileStore) -> Rule:
    _take_over(store)
    return Rule(
        SUBJECT,
        count=find_older(before).count,
        total=Lead.objects.filter(erased_at=None).count,
        remove=lambda: purge(before, store),
    )


def _take_over(store: FileStore) -> None:
    """Import the time that earlier versions stored in a file."""
    file = store.root / "retention"
    if file.exists() and find_trusted_time(SUBJECT) is None:
        try:
            note_seen(SUBJECT, datetime.fromisoformat(file.read_text(encoding="ascii").strip()), is_confirmed=False)
        except ValueError:
            return
        finally:
            file.unlink(missing_ok=True)
