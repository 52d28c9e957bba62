"""Where tests keep their files: in memory, where there is room, so that none of them waits for the disk."""

import os
import shutil
from typing import Final

_FOLDER: Final = "/dev/shm"
_ROOM: Final = 2 * 2**30


def folder_in_memory() -> str | None:
    """None stands for the system's usual folder of temporary files."""
    if not os.access(_FOLDER, os.W_OK | os.X_OK):
        return None
    return _FOLDER if shutil.disk_usage(_FOLDER).free >= _ROOM else None
