"""Every error of the API is problem+json (RFC 9457) with a stable code, and never shows a trace."""

import logging
from collections.abc import Iterable
from http import HTTPStatus
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from ninja import NinjaAPI
from ninja.errors import HttpError, ValidationError

from ..shapes.problem import FieldProblem, Problem

CONTENT_TYPE = "application/problem+json"

logger = logging.getLogger(__name__)


class ApiProblem(Exception):
    """Raised by an operation to answer with an error."""

    def __init__(self, status: int, code: str, detail: str) -> None:
        self.status = status
        self.code = code
        self.detail = detail
        super().__init__(detail)


def problem_response(status: int, code: str, detail: str, errors: Iterable[FieldProblem] = ()) -> HttpResponse:
    problem = Problem(title=HTTPStatus(status).phrase, status=status, code=code, detail=detail, errors=list(errors))
    response = HttpResponse(problem.model_dump_json(), content_type=CONTENT_TYPE, status=status)
    response["Cache-Control"] = "no-store"
    return response


def problem_of_status(request: HttpRequest, response: HttpResponse) -> HttpResponse:
    """What Django or Ninja answered in words of their own, as a problem."""
    match response.status_code:
        case 404:
            code, detail = "unknown-route", f"The API has no {request.path}. Its document lists what it has."
        case 405:
            allowed = response.get("Allow", "")
            code, detail = "method-not-allowed", f"{request.path} takes {allowed or 'other methods'} only."
        case 500:
            code, detail = "internal-error", "Something of ours failed; it has been logged. Try again later."
        case status:
            code, detail = f"http-{status}", f"The request was refused: {HTTPStatus(status).phrase}."
    replacement = problem_response(response.status_code, code, detail)
    if "Allow" in response:
        replacement["Allow"] = response["Allow"]
    return replacement


def register_problems(api: NinjaAPI) -> None:
    """Turns the exceptions of operations into problems."""

    @api.exception_handler(ApiProblem)
    def on_problem(request: HttpRequest, error: ApiProblem) -> HttpResponse:
        return problem_response(error.status, error.code, error.detail)

    @api.exception_handler(ValidationError)
    def on_invalid(request: HttpRequest, error: ValidationError) -> HttpResponse:
        fields = [FieldProblem(field=_place(detail["loc"]), message=detail["msg"]) for detail in error.errors]
        return problem_response(422, "invalid-value", "Some values do not fit; errors names them.", fields)

    @api.exception_handler(HttpError)
    def on_http_error(request: HttpRequest, error: HttpError) -> HttpResponse:
        return problem_response(error.status_code, f"http-{error.status_code}", str(error))

    @api.exception_handler(Http404)
    def on_missing(request: HttpRequest, error: Http404) -> HttpResponse:
        return problem_response(404, "not-found", "There is nothing of this id.")

    @api.exception_handler(Exception)
    def on_failure(request: HttpRequest, error: Exception) -> HttpResponse:
        logger.exception("An API operation failed: %s %s", request.method, request.path, exc_info=error)
        return problem_of_status(request, HttpResponse(status=500))


def _place(steps: Iterable[Any]) -> str:
    return ".".join(str(step) for step in steps)
