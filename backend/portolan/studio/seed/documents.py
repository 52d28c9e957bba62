"""Documents from ``documents/``: files that links of the fixtures lead to, at ``/media/documents/<name>``."""

from pathlib import Path

from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from wagtail.documents import get_document_model

from .report import Outcome, SeedReport


def load_documents(folder: Path, report: SeedReport) -> None:
    """Nothing where there is no such folder."""
    Document = get_document_model()
    for file in sorted(folder.glob("*.pdf")):
        name, data = f"documents/{file.name}", file.read_bytes()
        document = Document.objects.filter(file=name).first()
        if document is not None and default_storage.exists(name) and default_storage.size(name) == len(data):
            report.note("documents", Outcome.UNCHANGED)
            continue
        if default_storage.exists(name):
            default_storage.delete(name)  # a name that is taken would be given another ending
        is_new = document is None
        document = document or Document(title=file.stem.replace("-", " ").capitalize())
        document.file.save(file.name, ContentFile(data), save=False)
        document.file_size = len(data)
        document.save()
        report.note("documents", Outcome.CREATED if is_new else Outcome.CHANGED)
