"""Documents from ``documents/``: what blocks of the fixtures offer, and links lead to at ``/media/documents/<name>``."""

import hashlib
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from wagtail.documents import get_document_model

from portolan.domain.videos import FILM_KINDS

from .report import Outcome, SeedReport

_KINDS: Final = (".pdf", *(f".{kind}" for kind in FILM_KINDS))


def load_documents(folder: Path, report: SeedReport) -> Mapping[str, int]:
    """Ids of documents by the names of their files without the ending. None where there is no such folder."""
    found: dict[str, int] = {}
    if not folder.is_dir():
        return found
    Document = get_document_model()
    for file in sorted(path for path in folder.iterdir() if path.suffix in _KINDS):
        name, data = f"documents/{file.name}", file.read_bytes()
        document = Document.objects.filter(file=name).first()
        if document is not None and default_storage.exists(name) and default_storage.size(name) == len(data):
            report.note("documents", Outcome.UNCHANGED)
            found[file.stem] = document.pk
            continue
        if default_storage.exists(name):
            default_storage.delete(name)  # a name that is taken would be given another ending
        is_new = document is None
        document = document or Document(title=file.stem.replace("-", " ").capitalize())
        document.file.save(file.name, ContentFile(data), save=False)
        document.file_size = len(data)
        document.file_hash = hashlib.sha1(data, usedforsecurity=False).hexdigest()  # what Wagtail knows files by
        document.save()
        found[file.stem] = document.pk
        report.note("documents", Outcome.CREATED if is_new else Outcome.CHANGED)
    return found
