"""Define the result of the e-mail check (spec §5, §7: integration/validation/email)."""

from typing import Literal

from .base import Schema

EmailReason = Literal["ok", "syntax", "too-long", "domain-unknown", "domain-takes-no-mail", "unknown"]


class EmailVerdict(Schema):
    valid: bool
    """False blocks the form."""
    reason: EmailReason
    """``unknown``: the domain could not be checked, and the address is accepted."""
    suggestion: str | None
    """The corrected address after a common mistake such as ``gmial.com``."""
