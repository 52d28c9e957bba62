"""Define the form for uploading documents."""

from typing import Any

from wagtail.documents.forms import BaseDocumentForm

from .media_away import check_media_is_there
from .published_files import name_upload


class DocumentForm(BaseDocumentForm):
    def clean_file(self) -> Any:
        if "file" in self.changed_data:
            check_media_is_there()
            self.cleaned_data["file"].name = name_upload(self.cleaned_data["file"].name, "document")
        return self.cleaned_data["file"]
