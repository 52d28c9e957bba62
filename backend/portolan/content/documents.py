"""Documents: what an editor uploads under Documents, and the copy that visitors download.

An editor may put another file in a document's place, and Wagtail then deletes the old one. The copy's name contains a
digest, so that a page of yesterday's build still offers the same file. The edge gives it to visitors as long as a live
page offers it; the publisher removes it when no kept build offers it.
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
    """Documents whose collection, and all above it, are open to everybody. Pages may offer only these."""
    closed = Q()
    for path in CollectionViewRestriction.objects.values_list("collection__path", flat=True):
        closed |= Q(collection__path__startswith=path)
    return Document.objects.exclude(closed) if closed else Document.objects.all()


def find_upload(address: str) -> Document | None:
    """The document whose upload stands at ``/media/documents/…``."""
    if not address.startswith(DOCUMENTS):
        return None
    return Document.objects.filter(file=unquote(address).removeprefix(MEDIA)).first()


def freeze_document(document: Document) -> dict[str, Any] | None:
    """The ``DocumentFile`` schema in wire names; None if the file is gone. The copy is made here if there is none yet:
    it takes a few milliseconds, so that, unlike pictures' files, it need not be made at upload. It is made when a page
    first offers the document.
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
