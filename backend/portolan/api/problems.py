"""Return every API error as problem+json (RFC 9457) with a stable code and without a traceback."""

import logging
from collections.abc import Iterable, Mapping, Sequence
from http import HTTPStatus
from typing import Any, Final, NamedTuple

from django.db import DatabaseError, InterfaceError, OperationalError
from django.http import Http404, HttpRequest, HttpResponse
from ninja import NinjaAPI
from ninja.errors import HttpError, ValidationError

from ..domain.content_api import API_VERSION
from ..releases.database_errors import find_trouble
from ..schemas.problem import FieldProblem, Problem

CONTENT_TYPE: Final = "application/problem+json"
_RETRY_AFTER_S: Final = 5

logger = logging.getLogger(__name__)


class ApiProblem(Exception):
    """Raised by an operation to reply with an error."""

    def __init__(
        self, status: int, code: str, detail: str, errors: Sequence[FieldProblem] = (), retry_after_s: int = 0
    ) -> None:
        self.status = status
        self.code = code
        self.detail = detail
        self.errors = errors
        self.retry_after_s = retry_after_s
        super().__init__(detail)


class ProblemKind(NamedTuple):
    """One error code of the API. An operation's own codes are in its module, and the document lists them."""

    status: int
    code: str
    meaning: str
    """One sentence for readers of the document."""
    detail: str
    """The text for callers, with ``{names}`` for values that vary."""
    example: Mapping[str, object] = {}
    """Example values of those names, for the document."""

    def because(self, **values: object) -> ApiProblem:
        """Return the exception, with ``values`` in its detail."""
        return ApiProblem(self.status, self.code, self.detail.format(**values))

    def naming(self, *errors: FieldProblem) -> ApiProblem:
        """Return the exception for wrong fields; ``{names}`` in the detail becomes their names."""
        names = ", ".join(dict.fromkeys(error.field for error in errors))
        return ApiProblem(self.status, self.code, self.detail.format(names=names), errors)

    def response(self, **values: object) -> HttpResponse:
        """Return the response, for code that does not raise."""
        return problem_response(self.status, self.code, self.detail.format(**values))

    def show_example(self, *errors: FieldProblem) -> dict[str, Any]:
        """Return the body of an example error, for the document."""
        names = {"names": ", ".join(error.field for error in errors)} if errors else {}
        problem = _build(self.status, self.code, self.detail.format(**{**self.example, **names}), errors)
        return problem.model_dump(mode="json", by_alias=True)


BAD_REQUEST: Final = ProblemKind(
    400,
    "bad-request",
    "The request cannot be read: its host, URL, a header or its form.",
    "The request cannot be read. Check its host, URL and headers.",
)
UNSUPPORTED_VERSION: Final = ProblemKind(
    400,
    "unsupported-version",
    "`Api-Version` names an unknown version.",
    "There is no version {version!r}. Send Api-Version: {supported} or nothing.",
    {"version": "v4", "supported": API_VERSION},
)
UNKNOWN_ROUTE: Final = ProblemKind(
    404,
    "unknown-route",
    "The API has no such URL.",
    "The API has no {path}. For all URLs, see /api/openapi.json.",
    {"path": "/api/content/nothing"},
)
METHOD_NOT_ALLOWED: Final = ProblemKind(
    405,
    "method-not-allowed",
    "The URL does not support this method; `Allow` lists those it supports.",
    "{path} only supports {allowed}.",
    {"path": "/api/content/offices", "allowed": "GET, HEAD, OPTIONS"},
)
BODY_TOO_SLOW: Final = ProblemKind(
    408,
    "body-too-slow",
    "The request's body was sent at less than 1 kB per second.",
    "The request's body was sent too slowly. Send it again.",
)
BODY_TOO_LARGE: Final = ProblemKind(
    413, "body-too-large", "The request's body is larger than 30 MiB.", "A request may have 30 MiB. Send a smaller one."
)
INVALID_VALUE: Final = ProblemKind(
    422,
    "invalid-value",
    "A header, parameter or field is invalid; `errors` has a message for each.",
    "Invalid values: {names}. See errors for the reasons.",
    {"names": "query.page"},
)
TOO_MANY_REQUESTS: Final = ProblemKind(
    429,
    "too-many-requests",
    "This client has sent too many requests; `Retry-After` has the seconds to wait.",
    "{who} has sent {most} requests within {period}. Try again in {wait} s.",
    {"who": "This client", "most": 1000, "period": "a minute", "wait": 12},
)
HEADERS_TOO_LARGE: Final = ProblemKind(
    431,
    "headers-too-large",
    "The request's headers are too large.",
    "All headers of a request may have {most} bytes. These have {size}. Send shorter headers.",
    {"most": 16384, "size": 65701},
)
UNKNOWN_HOST: Final = ProblemKind(
    421,
    "unknown-host",
    "No site has this host name.",
    "No site has this host name. Send the request to a site's host.",
)
INTERNAL_ERROR: Final = ProblemKind(
    500,
    "internal-error",
    "An internal error occurred and was logged.",
    "An internal error occurred and was logged. Try again later.",
)
NOTHING_PUBLISHED: Final = ProblemKind(
    503,
    "nothing-published",
    "Nothing is published yet.",
    "Nothing is published yet. Try again after the first publish.",
)
UNAVAILABLE: Final = ProblemKind(
    503,
    "unavailable",
    "The API is unavailable; `Retry-After` has the seconds to wait.",
    "The API is unavailable. Published pages are not affected.",
)
REFUSED: Final = ProblemKind(
    400,
    "refused",
    "The request was rejected for another reason; see the status.",
    "The request was rejected: {phrase}.",
    {"phrase": "Forbidden"},
)

COMMON: Final = (
    BAD_REQUEST,
    UNSUPPORTED_VERSION,
    UNKNOWN_ROUTE,
    METHOD_NOT_ALLOWED,
    BODY_TOO_SLOW,
    BODY_TOO_LARGE,
    INVALID_VALUE,
    TOO_MANY_REQUESTS,
    UNKNOWN_HOST,
    HEADERS_TOO_LARGE,
    INTERNAL_ERROR,
    NOTHING_PUBLISHED,
    UNAVAILABLE,
    REFUSED,
)
"""Kinds of problems that any operation may have. Those of one operation are in its module."""


def problem_response(
    status: int, code: str, detail: str, errors: Iterable[FieldProblem] = (), retry_after_s: int = 0
) -> HttpResponse:
    problem = _build(status, code, detail, errors)
    response = HttpResponse(problem.model_dump_json(), content_type=CONTENT_TYPE, status=status)
    response["Cache-Control"] = "no-store"
    if retry_after_s or status == HTTPStatus.SERVICE_UNAVAILABLE:
        response["Retry-After"] = str(retry_after_s or _RETRY_AFTER_S)
    return response


def problem_of_status(request: HttpRequest, response: HttpResponse) -> HttpResponse:
    """Return the problem for an error response of Django or Ninja."""
    match response.status_code:
        case 400:
            replacement = BAD_REQUEST.response()
        case 404:
            replacement = UNKNOWN_ROUTE.response(path=request.path)
        case 405:
            replacement = METHOD_NOT_ALLOWED.response(path=request.path, allowed=response["Allow"])
        case 413:
            replacement = BODY_TOO_LARGE.response()
        case 500:
            replacement = INTERNAL_ERROR.response()
        case status:
            detail = REFUSED.detail.format(phrase=HTTPStatus(status).phrase)
            replacement = problem_response(status, REFUSED.code, detail)
    if "Allow" in response:
        replacement["Allow"] = response["Allow"]
    return replacement


def register_problems(api: NinjaAPI) -> None:
    """Convert exceptions of operations to problems."""

    @api.exception_handler(ApiProblem)
    def on_problem(request: HttpRequest, error: ApiProblem) -> HttpResponse:
        return problem_response(error.status, error.code, error.detail, error.errors, error.retry_after_s)

    @api.exception_handler(ValidationError)
    def on_invalid(request: HttpRequest, error: ValidationError) -> HttpResponse:
        fields = [FieldProblem(field=_place(detail["loc"]), message=_message(detail["msg"])) for detail in error.errors]
        return on_problem(request, INVALID_VALUE.naming(*fields))

    @api.exception_handler(HttpError)
    def on_http_error(request: HttpRequest, error: HttpError) -> HttpResponse:
        code = BAD_REQUEST.code if error.status_code == BAD_REQUEST.status else REFUSED.code
        return problem_response(error.status_code, code, str(error))

    @api.exception_handler(Http404)
    def on_missing(request: HttpRequest, error: Http404) -> HttpResponse:
        return problem_of_status(request, HttpResponse(status=404))

    @api.exception_handler(DatabaseError)
    @api.exception_handler(InterfaceError)
    def on_failed_database(request: HttpRequest, error: Exception) -> HttpResponse:
        return say_failed_database(request, error)

    @api.exception_handler(Exception)
    def on_failure(request: HttpRequest, error: Exception) -> HttpResponse:
        logger.exception("An API operation failed: %s %s", request.method, request.path, exc_info=error)
        return problem_of_status(request, HttpResponse(status=500))


def say_failed_database(request: HttpRequest, error: Exception) -> HttpResponse:
    """Return the response to a request that failed in the database.

    If our own statement or value caused the error, it is an internal error.
    """
    trouble = find_trouble(error)
    if trouble or isinstance(error, (OperationalError, InterfaceError)):
        logger.error(
            "%s %s failed without the database: %s", request.method, request.path, trouble or type(error).__name__
        )
        return UNAVAILABLE.response()
    logger.error("%s %s failed.", request.method, request.path, exc_info=error)
    return INTERNAL_ERROR.response()


def _build(status: int, code: str, detail: str, errors: Iterable[FieldProblem]) -> Problem:
    return Problem(title=HTTPStatus(status).phrase, status=status, code=code, detail=detail, errors=list(errors))


def _place(steps: Iterable[Any]) -> str:
    return ".".join(str(step) for step in steps)


def _message(text: str) -> str:
    """Return Pydantic's message without the prefix that it adds to ours."""
    return text.removeprefix("Value error, ")
