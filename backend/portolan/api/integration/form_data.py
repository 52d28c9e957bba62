"""Forms (spec §7: POST integration/form-data). A form is stored before the reply."""

from collections.abc import Mapping
from typing import Any, Final

from django.http import HttpRequest, HttpResponse
from ninja import Router

from ...leads import refusals
from ...leads.accept import Post, accept_lead
from ...leads.attachments import EXTENSIONS
from ...leads.body import LARGEST_BODY, LARGEST_FILE, MOST_FIELDS, MOST_FILES
from ...leads.refusals import LeadNotStored, LeadRefused
from ...schemas.lead import LONGEST_FIELD, LONGEST_KEY, LeadForm, LeadReceipt
from ...schemas.problem import FieldProblem
from ..client_limits import content_length, count_request, require_share, weigh_body
from ..operations import describe
from ..patience import wait_not_long
from ..problems import BODY_TOO_LARGE, INVALID_VALUE, UNAVAILABLE, ApiProblem, ProblemKind
from .form_schema import build_form_schema

router = Router(tags=["Forms"], by_alias=True)

_INTEGRATION: Final = "site"
_ACCEPTED: Final = 202
_EXAMPLE: Final = LeadReceipt(id="3b7a9f52-6c1e-4d8a-9f0b-5e2d7c4a1b6f", status="received")

INTEGRATION_REQUIRED: Final = ProblemKind(
    400,
    "integration-required",
    "The header `Integration: site` is missing, or has another value.",
    "Send the header Integration: site, which names the receiver of the form.",
)
MALFORMED_BODY: Final = ProblemKind(
    400,
    refusals.MALFORMED_BODY,
    "The body is not a valid multipart body (RFC 7578), or it is incomplete.",
    "The body cannot be split into fields. Send a complete multipart body (RFC 7578).",
)
FILE_TOO_LARGE: Final = ProblemKind(
    413,
    refusals.FILE_TOO_LARGE,
    f"A file is larger than {LARGEST_FILE >> 20} MiB; `errors` names it.",
    "A file is too large: {names}.",
    {"names": "attachments[0]"},
)
NO_MULTIPART: Final = ProblemKind(
    415,
    refusals.NO_MULTIPART,
    "The body is not `multipart/form-data` with a boundary, or it is compressed.",
    "Send the form as multipart/form-data with a boundary, not compressed.",
)
UNSUPPORTED_FILE: Final = ProblemKind(
    415,
    refusals.UNSUPPORTED_FILE,
    "A file has a type that is not accepted, by its name or content; `errors` names it.",
    "A file has a type that is not accepted: {names}.",
    {"names": "attachments[0]"},
)
UNSAFE_ARCHIVE: Final = ProblemKind(
    422,
    refusals.UNSAFE_ARCHIVE,
    "An archive is not safe to unpack; `errors` names it.",
    "An archive is not safe to unpack: {names}.",
    {"names": "attachments[0]"},
)
KEY_REUSED: Final = ProblemKind(
    422,
    refusals.KEY_REUSED,
    "Another form was sent under this `Idempotency-Key`.",
    "Another form was sent under this Idempotency-Key. Use a new key for each submission, and the same key only for repeats.",
)
CAPTCHA_REFUSED: Final = ProblemKind(
    422,
    refusals.CAPTCHA_REFUSED,
    "`captchaToken` is proven abuse: forged, used before, or made for another action or site.",
    "The captcha token was rejected. Get a new one, or send no-token.",
)
_KINDS: Final[Mapping[str, ProblemKind]] = {
    kind.code: kind
    for kind in (
        MALFORMED_BODY,
        BODY_TOO_LARGE,
        FILE_TOO_LARGE,
        NO_MULTIPART,
        UNSUPPORTED_FILE,
        UNSAFE_ARCHIVE,
        INVALID_VALUE,
        KEY_REUSED,
        CAPTCHA_REFUSED,
    )
}

_PARAMETERS: Final = [
    {
        "name": "Integration",
        "in": "header",
        "required": True,
        "description": "The receiver of the form.",
        "schema": {"type": "string", "enum": [_INTEGRATION]},
        "example": _INTEGRATION,
    },
    {
        "name": "Idempotency-Key",
        "in": "header",
        "required": False,
        "description": "A name for this submission, created when the form opens. Repeats get the first reply, byte for "
        "byte. A concurrent repeat waits for it. Without a key, the same form with the same files within ten minutes is "
        "a repeat.",
        "schema": {"type": "string", "maxLength": LONGEST_KEY},
        "example": "8e03978e-40d5-43e8-bc93-6894a57f9324",
    },
]
_BODY: Final[dict[str, Any]] = {
    "required": True,
    "description": "Nested values with indexed keys: `services[0]`, `services[1]` and so on without gaps. Empty values count "
    f"as missing. At most {LARGEST_BODY >> 20} MiB, "
    f"{MOST_FIELDS} fields of {LONGEST_FIELD} characters, {MOST_FILES} files of {LARGEST_FILE >> 20} MiB. Unknown fields are "
    "stored with the lead.",
    "content": {
        "multipart/form-data": {
            "schema": build_form_schema(LeadForm, f"One of {', '.join(EXTENSIONS)}, by name and content."),
            "example": {
                "form": "estimate",
                "contact[name]": "Head of Operations",
                "contact[email]": "operations@northwind.example",
                "services[0]": "web-development",
                "team[0][role]": "Python developer",
                "team[0][count]": 2,
                "months": 6,
                "price[from]": 52000,
                "price[to]": 68000,
                "price[currency]": "EUR",
                "pageUrl": "http://localhost:8000/estimate",
                "privacyAccepted": True,
                "captchaToken": "no-token",
            },
        }
    },
}


def _describe() -> dict[str, Any]:
    own = (
        INTEGRATION_REQUIRED,
        MALFORMED_BODY,
        BODY_TOO_LARGE,
        FILE_TOO_LARGE,
        NO_MULTIPART,
        UNSUPPORTED_FILE,
        INVALID_VALUE,
        UNSAFE_ARCHIVE,
        KEY_REUSED,
        CAPTCHA_REFUSED,
    )
    arguments = describe("submit_form", "Send a form", _EXAMPLE, *own, status=201)
    arguments["response"][_ACCEPTED] = LeadReceipt
    arguments["openapi_extra"]["responses"][_ACCEPTED] = {
        "description": "The form is stored on disk, and will be moved to the database when it is back.",
        "content": {"application/json": {"example": _EXAMPLE.model_dump(mode="json", by_alias=True)}},
    }
    arguments["openapi_extra"] |= {"parameters": _PARAMETERS, "requestBody": _BODY}
    return arguments


@router.post("", **_describe())
def submit_form(request: HttpRequest) -> HttpResponse:
    """Stores the form and its files, then replies. The host of `pageUrl` determines the site. Many leads of one client
    are still stored with a flag, up to the flood limit.
    """
    require_share(request, "lead_flood", weigh_body(request))
    if request.headers.get("Integration", "").strip().lower() != _INTEGRATION:
        raise INTEGRATION_REQUIRED.because()
    name = request.headers.get("Idempotency-Key", "").strip()
    if len(name) > LONGEST_KEY:
        field = FieldProblem(field="header.Idempotency-Key", message=f"is longer than {LONGEST_KEY} characters")
        raise INVALID_VALUE.naming(field)
    if content_length(request) > LARGEST_BODY:
        raise BODY_TOO_LARGE.because()
    is_multipart = request.content_type == "multipart/form-data" and not request.headers.get("Content-Encoding")
    post = Post(
        read=request.read,
        boundary=(request.content_params or {}).get("boundary") if is_multipart else None,
        host=request.headers.get("Host", ""),
        name=name or None,
        is_over_limit=lambda: count_request(request, "leads") > 0,
    )
    problem = None
    try:
        wait_not_long()
        receipt = accept_lead(post)
        response = HttpResponse(
            receipt.body, content_type="application/json", status=201 if receipt.is_stored else _ACCEPTED
        )
    except LeadRefused as refused:
        problem = _problem(refused)
    except LeadNotStored:
        problem = UNAVAILABLE.because()
    if problem:  # raised here, so that the logged traceback has no data of the form
        raise problem
    response["Cache-Control"] = "no-store"
    return response


def _problem(refused: LeadRefused) -> ApiProblem:
    kind = _KINDS[refused.code]
    return kind.naming(*refused.errors) if refused.errors else kind.because()
