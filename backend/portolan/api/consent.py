"""Accept visitors' consent choices and store them as proof. Not part of the content API, but with its rules.

Pages send a choice to their own origin and do not wait for the reply. Requests from other origins are rejected.
"""

from typing import Final
from urllib.parse import quote, unquote

from django.conf import settings
from django.db import DatabaseError, InterfaceError
from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.views.decorators.csrf import csrf_exempt
from pydantic import ValidationError

from ..consent_records.recording import record_choice
from ..domain.consent import CONSENT_COOKIE, CONSENT_KEPT_MONTHS, LARGEST_CHOICE
from ..domain.months import add_months
from ..schemas.consent import ConsentChoice, SavedConsent
from ..schemas.problem import FieldProblem
from .client_limits import require_share
from .own_pages import find_sending_site
from .patience import wait_not_long
from .problems import (
    INVALID_VALUE,
    METHOD_NOT_ALLOWED,
    ApiProblem,
    ProblemKind,
    problem_response,
    say_failed_database,
)

_METHOD: Final = "POST"
CROSS_ORIGIN: Final = ProblemKind(
    403,
    "cross-origin",
    "A cookie choice does not come from a page of its site.",
    "Send a choice from a page of the same site.",
)
TOO_LARGE: Final = ProblemKind(
    413, "body-too-large", "The body is larger than any choice.", "A choice has at most {most} bytes."
)
NO_JSON: Final = ProblemKind(
    415,
    "no-json",
    "The body of a cookie choice is not `application/json`.",
    "Send the choice as application/json.",
)


@csrf_exempt
def take_choice(request: HttpRequest) -> HttpResponse:
    """Store the choice and reply with an empty 204, so that the reply identifies no visitor.

    The reply sets the browser's own cookie again, because Safari deletes script cookies after seven days.
    """
    if request.method != _METHOD:
        refusal = METHOD_NOT_ALLOWED.response(path=request.path, allowed=_METHOD)
        refusal["Allow"] = _METHOD
        return refusal
    try:
        require_share(request, "consent")
        site, choice = find_sending_site(request, CROSS_ORIGIN), _read_choice(request)
        wait_not_long()
        record_choice(site, choice)
    except ApiProblem as problem:
        return problem_response(problem.status, problem.code, problem.detail, problem.errors, problem.retry_after_s)
    except (DatabaseError, InterfaceError) as error:
        return _keep_cookie(request, site, say_failed_database(request, error))
    response = HttpResponse(status=204)
    response["Cache-Control"] = "no-store"
    del response["Content-Type"]  # there is no body
    return _keep_cookie(request, site, response)


def _keep_cookie(request: HttpRequest, site: str, response: HttpResponse) -> HttpResponse:
    """Set the browser's consent cookie again with its attributes (``web/src/lib/keep-consent.ts``), if it sent one."""
    value = request.COOKIES.get(CONSENT_COOKIE, "")
    try:
        saved = SavedConsent.model_validate_json(unquote(value), by_name=False, by_alias=True)
    except ValidationError:
        return response
    written = quote(saved.model_dump_json(by_alias=True, exclude_unset=True), safe="")
    until = add_months(timezone.now(), CONSENT_KEPT_MONTHS)
    is_https = settings.SITE_ORIGINS[site].startswith("https:")
    response.set_cookie(CONSENT_COOKIE, written, expires=until, secure=is_https, samesite="Lax")
    return response


def _read_choice(request: HttpRequest) -> ConsentChoice:
    if request.content_type != "application/json":
        raise NO_JSON.because()
    body = request.read(LARGEST_CHOICE + 1)
    if len(body) > LARGEST_CHOICE:
        raise TOO_LARGE.because(most=LARGEST_CHOICE)
    try:
        return ConsentChoice.model_validate_json(body, by_name=False, by_alias=True)
    except ValidationError as error:
        fields = [
            FieldProblem(field=".".join(["body", *(str(step) for step in detail["loc"])]), message=detail["msg"])
            for detail in error.errors(include_url=False, include_context=False, include_input=False)
        ]
        raise INVALID_VALUE.naming(*fields) from None
