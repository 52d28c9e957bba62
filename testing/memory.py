"""The tests' files: in memory if there is room, so that tests need not wait for the disk."""

import os
import shutil
from typing import Final

_FOLDER: Final = "/dev/shm"
_ROOM: Final = 2 * 2**30


def folder_in_memory() -> str | None:
    """Return a folder in memory, or None for the system's usual temporary folder."""
    if not os.access(_FOLDER, os.W_OK | os.X_OK):
        return None
    return _FOLDER if shutil.disk_usage(_FOLDER).free >= _ROOM else None
