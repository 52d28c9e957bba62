"""What the e-mail check says (spec §5, §7: integration/validation/email)."""

from typing import Literal

from .base import Schema

EmailReason = Literal["ok", "syntax", "too-long", "domain-unknown", "domain-takes-no-mail", "unknown"]


class EmailVerdict(Schema):
    valid: bool
    """The form is blocked only where this is false."""
    reason: EmailReason
    """``unknown``: the domain could not be asked, and the address is taken as it is."""
    suggestion: str | None
    """The whole address as it was probably meant, after a common slip such as ``gmial.com``."""
