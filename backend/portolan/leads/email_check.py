"""Check an e-mail address (spec §5, decisions "Content API"). The address is never logged or put into a message."""

from typing import Final

from django.conf import settings
from email_validator import EmailSyntaxError, validate_email

from ..domain.email_slips import suggest_address
from ..schemas.email_verdict import EmailReason, EmailVerdict

LONGEST_ADDRESS: Final = 320


def check_email(address: str) -> EmailVerdict:
    """Check the syntax, and the DNS if name servers are configured. An unknown result counts as valid."""
    if len(address) > LONGEST_ADDRESS:
        return EmailVerdict(valid=False, reason="too-long", suggestion=None)
    suggestion = suggest_address(address)
    if suggestion is not None and _syntax(suggestion)[0] != "ok":
        suggestion = None
    reason, domain = _syntax(address)
    if reason == "ok" and settings.EMAIL_NAME_SERVERS is not None:
        from .mail_domains import ask_domain  # here, because its package is optional

        reason = ask_domain(domain, settings.EMAIL_NAME_SERVERS)
    return EmailVerdict(valid=reason in ("ok", "unknown"), reason=reason, suggestion=suggestion)


def is_email(address: str) -> bool:
    """Return whether the syntax is valid."""
    return len(address) <= LONGEST_ADDRESS and _syntax(address)[0] == "ok"


def _syntax(address: str) -> tuple[EmailReason, str]:
    """Return ``ok``, ``syntax`` or ``too-long``, and the ASCII domain if it is ok."""
    try:
        found = validate_email(address, check_deliverability=False)
    except EmailSyntaxError as error:
        return ("too-long" if "too long" in str(error) else "syntax"), ""
    return "ok", found.ascii_domain
