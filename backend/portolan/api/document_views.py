"""Serve the OpenAPI document and its page under ``/api/``. Both are built once and the same for every site."""

from typing import Final

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from .document import document_bytes
from .reading.page import page_bytes, style_bytes

_POLICY: Final = (
    "default-src 'none'; style-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)


@require_safe
def openapi_json(request: HttpRequest) -> HttpResponse:
    return _answer(document_bytes(), "application/json")


@require_safe
def docs(request: HttpRequest) -> HttpResponse:
    response = _answer(page_bytes(), "text/html; charset=utf-8")
    response["Content-Security-Policy"] = _POLICY
    return response


@require_safe
def docs_style(request: HttpRequest) -> HttpResponse:
    return _answer(style_bytes(), "text/css; charset=utf-8")


def _answer(body: bytes, content_type: str) -> HttpResponse:
    return HttpResponse(body, content_type=content_type, headers={"Content-Language": "en"})
