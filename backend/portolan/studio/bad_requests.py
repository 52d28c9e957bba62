"""Reply to requests that the studio cannot read. Scripts, extensions and broken connections send them, but never our
pages."""

import logging
from collections.abc import Callable
from html import escape
from json import JSONDecodeError
from traceback import extract_tb
from typing import Any, Final

from django.core.exceptions import ValidationError
from django.core.paginator import InvalidPage
from django.db import DataError
from django.forms.formsets import ORDERING_FIELD_NAME
from django.http import HttpRequest, HttpResponse
from django.utils.datastructures import MultiValueDictKeyError
from django.utils.translation import get_language, gettext
from wagtail.admin.forms.choosers import ExternalLinkChooserForm, URLOrAbsolutePathField
from wagtail.admin.views.chooser import ExternalLinkView
from wagtail.snippets.views.chooser import SnippetChooserViewSet, SnippetCreateView

from ..domain.content_api import API_PREFIX
from ..edge.plain_replies import API_BAD_REQUEST, build_page
from ..edge.replies import Reply
from .time_zones import STUDIO

_UNREADABLE: Final = (
    MultiValueDictKeyError,  # a field is missing
    OverflowError,  # a number that is too large for the database
    DataError,  # the same in PostgreSQL, also a NUL or too long a text
    ValidationError,  # values that no form has checked
    InvalidPage,  # wrong page of a list
)
_UNREADABLE_IN_FORMS: Final = (
    JSONDecodeError,
    UnicodeError,  # half of a surrogate pair
    RecursionError,  # nested too deeply
)
"""Errors that come from stored data when a page is only shown."""
_NO_NUMBER: Final = ("expected a number but got", "invalid literal for int()", "limit (4300 digits)")
"""Parts of Django's and Python's messages of a ValueError about the key of a row or the number of a page."""
_READS: Final = ("GET", "HEAD")

logger = logging.getLogger(__name__)


def show_bad_request(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    """Show the error page. This is Django's ``handler400``."""
    if request.path.startswith(API_PREFIX):
        return _response(API_BAD_REQUEST)
    title = gettext("The studio cannot read this request")
    if request.method in _READS:
        text = gettext("<p>A value in the URL is not allowed. Go back and use the links and fields of the page.</p>")
    else:
        text = gettext(
            "<p>Fields of the form are missing or damaged. Go back in your browser: your changes are still in "
            "the form. Copy them, reload the page, and enter your changes again.</p>"
        )
    if isinstance(exception, ValidationError):
        text += "".join(f"<p>{escape(message)}</p>" for message in exception.messages)
    return _response(build_page(400, title, text, language=get_language() or "en"))


def _response(reply: Reply) -> HttpResponse:
    response = HttpResponse(reply.body["body"], status=reply.start["status"])
    for name, value in reply.start["headers"]:
        response[name.decode()] = value.decode()
    return response


class RefuseUnreadable:
    """Django middleware: replies with 400 to errors that only the content of a request can cause."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if request.path.startswith(STUDIO) and not _has_way_on(request):
            return show_bad_request(request)
        return self._get_response(request)

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        known = _UNREADABLE if request.method in _READS else _UNREADABLE + _UNREADABLE_IN_FORMS
        is_number = isinstance(exception, ValueError) and any(words in str(exception) for words in _NO_NUMBER)
        is_place = isinstance(exception, KeyError) and exception.args == (ORDERING_FIELD_NAME,)  # of an inline row
        if not request.path.startswith(STUDIO) or not (is_number or is_place or isinstance(exception, known)):
            return None
        frame = extract_tb(exception.__traceback__)[-1]
        logger.warning(
            "%s %s cannot be read (%s in %s, line %s): %s",
            request.method,
            request.path,
            type(exception).__name__,
            frame.filename,
            frame.lineno,
            str(exception)[:200],
        )
        return show_bad_request(request, exception)


def _has_way_on(request: HttpRequest) -> bool:
    """Return True if views can redirect to ``next``. Views redirect after they have saved, and fail if ``next`` is no
    path."""
    return all("/" in value for sent in (request.GET, request.POST) for value in sent.getlist("next") if value)


class _Address(URLOrAbsolutePathField):
    def to_python(self, value: Any) -> Any:
        """Replace a missing value by an empty text, because Wagtail expects a text."""
        return super().to_python(value or "")


class _LinkForm(ExternalLinkChooserForm):
    url = _Address(label=ExternalLinkChooserForm.base_fields["url"].label)


class _CreateView(SnippetCreateView):
    def can_create(self) -> bool:
        """Return False for choosers without a form, because Wagtail has the URL for them too."""
        return self.get_creation_form_class() is not None and bool(super().can_create())


def connect() -> None:
    """Replace Wagtail's views and forms. Call this before snippets are registered."""
    SnippetChooserViewSet.create_view_class = _CreateView
    ExternalLinkView.form_class = _LinkForm
