"""Reports whose files speak as their screens do."""

from collections.abc import Iterator
from typing import Any

from django.http import StreamingHttpResponse
from django.utils.translation import get_language, override
from wagtail.admin.views.reports import ReportView


class SpokenReport(ReportView):
    """Wagtail writes CSV while it is sent, when the reader's language is not active any more."""

    def write_csv_response(self, queryset: Any) -> StreamingHttpResponse:
        response: StreamingHttpResponse = super().write_csv_response(queryset)
        parts: Any = response.streaming_content
        response.streaming_content = _in_language(get_language(), iter(parts))
        return response


def _in_language(language: str, parts: Iterator[Any]) -> Iterator[Any]:
    while True:
        with override(language):
            part = next(parts, None)
        if part is None:
            return
        yield part
