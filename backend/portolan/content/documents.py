"""Documents: what an editor uploads under Documents, and the copy that visitors download.

An editor may put another file in a document's place, and Wagtail then deletes the old one. The copy's name says what is
inside, so that a page of yesterday's build still offers what it offered.
"""

import hashlib
import logging
from pathlib import PurePath
from typing import Any

from wagtail.documents.models import Document

from .published_files import stem_of, store

logger = logging.getLogger(__name__)


def freeze_document(document: Document) -> dict[str, Any] | None:
    """The ``DocumentFile`` shape in wire names; its copy is made where there is none yet. None where the file is gone.

    A copy is a few milliseconds, so that unlike pictures' files it needs no moment of its own: a document that was
    uploaded before any page offered it has its copy as soon as one does.
    """
    upload = PurePath(document.file.name)
    try:
        with document.file.storage.open(document.file.name, "rb") as file:
            data = file.read()
    except OSError as error:
        logger.error("The file of the document “%s” cannot be read: %s", document, error)
        return None
    kind = upload.suffix.lower().removeprefix(".")
    digest = hashlib.sha256(data).hexdigest()[:16]
    url = store(f"documents/{digest}/{stem_of(upload, 'document')}.{kind}", data)
    return {"url": url, "kind": kind, "size": len(data)}
