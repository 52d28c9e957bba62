"""Keep a SQLite database readable by its owner only, because it has leads and the studio's sessions."""

import logging
import os
import stat
from typing import Any, Final

from django.db.backends.signals import connection_created

FOLDER_MODE: Final = 0o700
_OTHERS: Final = stat.S_IRWXG | stat.S_IRWXO
_SUFFIXES: Final = ("", "-wal", "-shm", "-journal")
"""SQLite gives these files next to the database the same permissions."""

_log = logging.getLogger(__name__)
_said: set[str] = set()


def connect() -> None:
    """Check the files' permissions at each connection, because a restored or copied database may have others."""
    connection_created.connect(_close_files, dispatch_uid="private_database")


def _close_files(connection: Any, **_: Any) -> None:
    if connection.vendor == "sqlite" and not connection.is_in_memory_db():
        for suffix in _SUFFIXES:
            close_to_others(f"{connection.settings_dict['NAME']}{suffix}")


def close_to_others(path: str) -> None:
    """Remove all other users' permissions for a file, if it exists."""
    try:
        if os.stat(path).st_mode & _OTHERS:  # noqa: PTH116  (once a request: pathlib costs as much as the call)
            os.chmod(path, stat.S_IRUSR | stat.S_IWUSR)  # noqa: PTH101
    except FileNotFoundError:
        pass
    except PermissionError:
        if path not in _said:
            _said.add(path)
            _log.warning(
                "Other users of this machine can read %s, which may have leads. This user cannot change its permissions. As "
                "its owner, run `chmod 600` on it.",
                path,
            )
