"""Store files for visitors under names made from their content.

A name is never used for other bytes. So browsers and the edge may cache it for ever, and links of earlier builds still
work.
"""

import os
import re
from datetime import timedelta
from pathlib import PurePath
from typing import Any, Final

from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from django.utils import timezone
from django.utils.text import slugify

from ..domain.letters import transliterate

_TOUCH_AFTER: Final = timedelta(days=1)
_KEPT: Final = re.compile(r"[^\W_]")


def stem_of(upload: PurePath, otherwise: str) -> str:
    """Return the part of an upload's name that stays in the names of its published files."""
    return slugify(transliterate(_split(upload)[0]))[:40] or otherwise


def ending_of(upload: PurePath) -> str:
    """Return the suffix of an upload's name, in lower case and with its dot.

    >>> ending_of(PurePath("Offer.PDF")), ending_of(PurePath(".pdf_8kjki3i"))
    ('.pdf', '.pdf')
    """
    return _split(upload)[1]


def name_upload(name: str, otherwise: str) -> str:
    """Return the name for storing an upload: its own, unless it has no letter that a file system keeps.

    >>> name_upload("😀🚀.pdf", "document"), name_upload("Über uns.pdf", "document")
    ('document.pdf', 'Über uns.pdf')
    """
    stem, ending = _split(PurePath(name))
    return name if _KEPT.search(stem) else f"{otherwise}{ending}"


def _split(upload: PurePath) -> tuple[str, str]:
    """Return stem and suffix. Earlier versions stored a name without letters as its suffix, plus random letters."""
    if upload.name.startswith(".") and not upload.suffix:
        return "", upload.name.partition("_")[0].lower()
    return upload.stem, upload.suffix.lower()


def store(name: str, content: bytes) -> str:
    """Write a file under exactly this name, and return its URL.

    A file of an interrupted write is replaced. An existing file is touched to mark it as in use, because files that no
    build shows for a week are removed.
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
    except NotImplementedError:  # in a shared storage, touching rewrites the file, so once a day is enough
        storage: Any = default_storage
        if timezone.now() - storage.get_modified_time(name) > _TOUCH_AFTER:
            storage.touch(name)
