"""Manage documents: an editor's upload, and the copy that visitors download.

If an editor replaces the file of a document, Wagtail deletes the old file. The copy's name contains a digest, so that a
page of an older build still offers the same file. The edge serves the copy while a live page offers it. The publisher
removes it when no stored build offers it.
"""

import hashlib
from pathlib import PurePath
from typing import Any
from urllib.parse import unquote

from django.db.models import Q, QuerySet
from wagtail.documents.models import Document
from wagtail.models import CollectionViewRestriction

from ..domain.media_addresses import DOCUMENTS, MEDIA
from .media_away import MediaAway
from .published_files import ending_of, stem_of, store


def public_documents() -> QuerySet[Document]:
    """Return documents whose collection, with all its parents, is public. Pages may offer only these."""
    closed = Q()
    for path in CollectionViewRestriction.objects.values_list("collection__path", flat=True):
        closed |= Q(collection__path__startswith=path)
    return Document.objects.exclude(closed) if closed else Document.objects.all()


def find_upload(address: str) -> Document | None:
    """Return the document whose upload is at ``/media/documents/…``."""
    if not address.startswith(DOCUMENTS):
        return None
    return Document.objects.filter(file=unquote(address).removeprefix(MEDIA)).first()


def snapshot_document(document: Document) -> dict[str, Any] | None:
    """Return the ``DocumentFile`` schema in wire names, or None if the file is missing.

    Creates the copy when a page first offers the document. This takes only milliseconds, unlike the files of images.
    """
    upload = PurePath(document.file.name)
    try:
        with document.file.storage.open(document.file.name, "rb") as file:
            data = file.read()
    except MediaAway:
        raise
    except OSError:
        return None
    kind = ending_of(upload).removeprefix(".")
    digest = hashlib.sha256(data).hexdigest()[:16]
    url = store(f"documents/{digest}/{stem_of(upload, 'document')}.{kind}", data)
    return {"url": url, "kind": kind, "size": len(data)}
