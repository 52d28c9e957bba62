"""E-mail validation (spec §5, §7: integration/validation/email). The address is in a header, so that access logs lack it."""

from typing import Annotated, Final
from urllib.parse import unquote_to_bytes

from django.http import HttpRequest, HttpResponse
from ninja import Router
from ninja.params.models import Header

from ...leads.email_check import LONGEST_ADDRESS, check_email
from ...schemas.email_verdict import EmailVerdict
from ...schemas.problem import FieldProblem
from ..client_limits import require_share
from ..operations import describe
from ..problems import INVALID_VALUE

router = Router(tags=["E-mail"], by_alias=True)

_HEADER: Final = "Email-Validation"
_MOST_CHARACTERS_OF_LETTER: Final = 12
"""Four bytes of UTF-8, each as %XX."""
_EXAMPLE: Final = EmailVerdict(valid=True, reason="ok", suggestion="jo@gmail.com")

Address = Annotated[
    str,
    Header(
        ...,
        alias=_HEADER,
        description=f"The address as percent-encoded UTF-8, at most {LONGEST_ADDRESS} characters.",
        example="jo%40gmial.com",
    ),
]


@router.get("", **describe("validate_email", "Validate an e-mail address", _EXAMPLE))
def validate_email(request: HttpRequest, response: HttpResponse, address: Address) -> EmailVerdict:
    """Checks the syntax and, if configured, the domain's DNS records, but not the mailbox. Only block a form for
    `valid: false`: an unknown result is `valid: true` with the reason `unknown`. `suggestion` is the corrected address.
    The address stays out of logs and caches.
    """
    require_share(request, "email")
    response["Cache-Control"] = "no-store"
    if len(address) > LONGEST_ADDRESS * _MOST_CHARACTERS_OF_LETTER:
        return EmailVerdict(valid=False, reason="too-long", suggestion=None)
    try:
        decoded = unquote_to_bytes(address.encode("ascii")).decode()
    except UnicodeError:
        decoded = None
    if decoded is None:  # outside the block above, because its error contains the address
        raise INVALID_VALUE.naming(FieldProblem(field=f"header.{_HEADER}", message="must be percent-encoded UTF-8"))
    return check_email(decoded)
