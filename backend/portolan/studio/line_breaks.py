"""Store line breaks of typed texts as line feeds.

Browsers send CRLF for each line break of a text area. Content from files and from the API has line feeds. Without this,
the first save of an unchanged form changes such a text: the page is rendered again, and its history shows a change.
"""

from typing import Any

from django.forms import Textarea

from ..domain.csv_files import normalise_lines


def connect() -> None:
    """Change Django's text area, from which Wagtail's and all of ours inherit."""
    Textarea.value_from_datadict = _with_line_feeds(Textarea.value_from_datadict)  # type: ignore[method-assign]


def _with_line_feeds(read: Any) -> Any:
    def value_from_datadict(self: Textarea, data: Any, files: Any, name: str) -> Any:
        value = read(self, data, files, name)
        return normalise_lines(value) if isinstance(value, str) else value

    return value_from_datadict
