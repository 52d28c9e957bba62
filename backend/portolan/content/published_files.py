"""Files that sites show, named by their content. A name is never used for other bytes, so browsers and the edge may
cache it for ever, and links of earlier builds still work.
"""

import os
from datetime import timedelta
from pathlib import PurePath
from typing import Any, Final

from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from django.utils import timezone
from django.utils.text import slugify

_TOUCH_AFTER: Final = timedelta(days=1)


def stem_of(upload: PurePath, otherwise: str) -> str:
    """The part of an upload's name that is kept in the names of its published files."""
    return slugify(upload.stem)[:40] or otherwise


def store(name: str, content: bytes) -> str:
    """Write a file under exactly this name, and return its address. A file that an interrupted write has left is
    replaced. An existing file is touched to mark it as in use: files that no build shows for a week are removed.
    """
    if default_storage.exists(name):
        if default_storage.size(name) == len(content):
            _touch(name)
            return default_storage.url(name)
        default_storage.delete(name)
    return default_storage.url(default_storage.save(name, ContentFile(content)))


def _touch(name: str) -> None:
    try:
        os.utime(default_storage.path(name))
    except NotImplementedError:  # a shared storage: a file there has to be written anew, so once a day is enough
        storage: Any = default_storage
        if timezone.now() - storage.get_modified_time(name) > _TOUCH_AFTER:
            storage.touch(name)
