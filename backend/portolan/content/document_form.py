"""The form by which documents are uploaded."""

from typing import Any

from wagtail.documents.forms import BaseDocumentForm

from .media_away import check_media_is_there


class DocumentForm(BaseDocumentForm):
    def clean_file(self) -> Any:
        if "file" in self.changed_data:
            check_media_is_there()
        return self.cleaned_data["file"]
