"""Files that sites show, under names that say what is inside: a name is never used for other bytes, so browsers and the
edge may keep it for ever, and what earlier builds link to stays.
"""

import os
from pathlib import PurePath

from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from django.utils.text import slugify


def stem_of(upload: PurePath, otherwise: str) -> str:
    """What an upload's name leaves in the name of its published files."""
    return slugify(upload.stem)[:40] or otherwise


def store(name: str, content: bytes) -> str:
    """Write a file under exactly this name; gives its address. What an interrupted write left behind is replaced.

    One that is there says by its time that it is in use: what no build shows for a week is removed.
    """
    if default_storage.exists(name):
        if default_storage.size(name) == len(content):
            os.utime(default_storage.path(name))
            return default_storage.url(name)
        default_storage.delete(name)
    return default_storage.url(default_storage.save(name, ContentFile(content)))
