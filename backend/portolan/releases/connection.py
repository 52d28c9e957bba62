"""Read releases on Django's own connection, for code that runs inside Django (creating releases, the API, tests)."""

import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from django.conf import settings
from django.db import connection

from .reader import ReleaseReader
from .upgrade_lock import UpgradeIsAtWork, is_upgrading

_ASKED_AGAIN_AFTER_S: Final = 1.0
_fits_until = 0.0


def connected_reader() -> ReleaseReader:
    """Return a reader on the connection of the calling thread. It sees the thread's open transaction."""
    return ReleaseReader(run)


def run(sql: str, values: Sequence[Any]) -> list[Sequence[Any]]:
    """Run one statement on the connection of the calling thread, in its open transaction."""
    with connection.cursor() as cursor:
        cursor.execute(sql, values)
        return cursor.fetchall() if cursor.description else []


def require_fitting_database(lock: Path) -> None:
    """Check the version of the database for a write.

    Raise WrongDatabase if the database is of another version, UpgradeIsAtWork during an upgrade. A positive result is
    cached for a second.
    """
    global _fits_until
    if is_upgrading(lock):
        _fits_until = 0.0
        raise UpgradeIsAtWork
    now = time.monotonic()
    if now >= _fits_until:
        connected_reader().require_fit(settings.SITES_REGISTRY.plugins)
        _fits_until = now + _ASKED_AGAIN_AFTER_S
