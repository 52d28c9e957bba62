"""Which backups and files at a target go: backups beyond the number that is kept, and files that no backup names."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Final

from .catalogue import FILES, Backup, backup_key
from .target import Target

_STRAY_AFTER: Final = timedelta(days=1)
"""A file that no backup names may be one of a backup that is being made elsewhere; none takes this long."""


def remove_unused(target: Target, backups: Sequence[Backup], keep: int) -> int:
    """Keep the newest ``keep`` of ``backups`` and return how many were removed. 0 keeps all.

    ``backups``: all that exist, with the newly made one last. Backups with a later time were made while the clock was
    ahead. They stay and do not count, because they would displace every backup made since.
    """
    counted = [each for each in backups if each.created <= backups[-1].created]
    going = counted[:-keep] if keep else []
    target.delete(backup_key(backup.id) for backup in going)  # first: a backup that is there has all its files
    gone = {backup.id for backup in going}
    named = {file.key for backup in backups if backup.id not in gone for file in backup.files}
    dropped = {file.key for backup in going for file in backup.files} - named
    before = datetime.now(UTC) - _STRAY_AFTER
    strays = {found.key for found in target.list(FILES) if found.key not in named and found.changed < before}
    target.delete(sorted(dropped | strays))
    return len(going)
