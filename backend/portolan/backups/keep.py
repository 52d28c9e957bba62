"""Remove backups beyond the number to keep, and files without a backup."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Final

from .catalogue import FILES, Backup, backup_key
from .target import Target

_STRAY_AFTER: Final = timedelta(days=1)
"""Age of files to remove. A younger file may belong to a backup that is still being created."""


def remove_unused(target: Target, backups: Sequence[Backup], keep: int) -> int:
    """Keep the newest ``keep`` of ``backups`` and return the number of removed ones. 0 keeps all.

    ``backups``: all, with the new one last. Backups with a later time were created while the clock was ahead. They stay
    and do not count, because they would displace every later backup.
    """
    counted = [each for each in backups if each.created <= backups[-1].created]
    going = counted[:-keep] if keep else []
    target.delete(backup_key(backup.id) for backup in going)  # first, so that an existing backup has all its files
    gone = {backup.id for backup in going}
    named = {file.key for backup in backups if backup.id not in gone for file in backup.files}
    dropped = {file.key for backup in going for file in backup.files} - named
    before = datetime.now(UTC) - _STRAY_AFTER
    strays = {found.key for found in target.list(FILES) if found.key not in named and found.changed < before}
    target.delete(sorted(dropped | strays))
    return len(going)
