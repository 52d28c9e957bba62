"""Define the payload of a form, and its reply (spec §3 multi-step payload, §7 POST integration/form-data).

A lead contains personal data, so no ``repr`` or error message shows its values.
"""

import re
from collections.abc import Iterable
from typing import Annotated, Any, Final, Literal

from pydantic import AfterValidator, BeforeValidator, ConfigDict, Field, StringConstraints, WithJsonSchema

from .base import Schema
from .visible_text import INVISIBLE, SELECTORS, trim

LONGEST_FIELD: Final = 10_000
LONGEST_LINE: Final = 200
LONGEST_KEY: Final = 255
NO_CAPTCHA_TOKEN: Final = "no-token"  # noqa: S105  (spec §5: sent where the captcha gave none)

_CONTROL: Final = r"\x00-\x1f\x7f-\x9f\u2028\u2029"
_CONTROL_IN_TEXT: Final = r"\x00-\x08\x0b\x0c\x0e-\x1f\x7f"
_NO_MAIL: Final = r"[.](arpa|invalid|local|localhost|onion|test)$"
"""For the API document: reserved names, which cannot be mail domains (RFC 6761)."""
_WEB_ADDRESS: Final = r"^https?://[A-Za-z0-9]([A-Za-z0-9.-]*[A-Za-z0-9])?(:[0-9]{1,5})?([/?#][!-~]*)?$"
"""The URL of a page as browsers write it, with other letters encoded."""


def _one_line(value: object) -> object:
    if isinstance(value, str) and re.search(f"[{_CONTROL}]", value):
        raise ValueError("must be one line, without control characters")
    return value


def _many_lines(value: object) -> object:
    if isinstance(value, str):
        if re.search(f"[{_CONTROL_IN_TEXT}]", value):
            raise ValueError("must have no control characters")
        return value.replace("\r\n", "\n").replace("\r", "\n")
    return value


def _web_address(value: str) -> str:
    if not re.fullmatch(_WEB_ADDRESS, value):
        raise ValueError("must be a complete URL: https://…")
    return value


def _trimmed(value: object) -> object:
    return trim(value) if isinstance(value, str) else value


def _lower(value: object) -> object:
    return value.lower() if isinstance(value, str) else value


def _true_or_false(value: object) -> object:
    if isinstance(value, str) and value not in ("true", "false"):
        raise ValueError("must be true or false")
    return value


def _accepted(value: bool) -> bool:
    if not value:
        raise ValueError("must be accepted: true")
    return value


def _describe(most: int, control: str = _CONTROL, **more: str) -> WithJsonSchema:
    """Return the JSON Schema of a text with visible characters and without control characters."""
    pattern = rf"^[^{control}]*[^\s{INVISIBLE}{SELECTORS}{control}][^{control}]*$"
    return WithJsonSchema({"type": "string", "minLength": 1, "maxLength": most, "pattern": pattern, **more})


def _not_blank(most: int) -> StringConstraints:
    return StringConstraints(strip_whitespace=True, min_length=1, max_length=most)


Line = Annotated[
    str, BeforeValidator(_trimmed), BeforeValidator(_one_line), _not_blank(LONGEST_FIELD), _describe(LONGEST_FIELD)
]
ShortLine = Annotated[
    str, BeforeValidator(_trimmed), BeforeValidator(_one_line), _not_blank(LONGEST_LINE), _describe(LONGEST_LINE)
]
KeyLine = Annotated[
    str, BeforeValidator(_trimmed), BeforeValidator(_one_line), _not_blank(LONGEST_KEY), _describe(LONGEST_KEY)
]
Text = Annotated[
    str,
    BeforeValidator(_trimmed),
    BeforeValidator(_many_lines),
    _not_blank(LONGEST_FIELD),
    _describe(LONGEST_FIELD, _CONTROL_IN_TEXT),
]
EmailLine = Annotated[
    str,
    BeforeValidator(_trimmed),
    BeforeValidator(_one_line),
    _not_blank(LONGEST_FIELD),
    WithJsonSchema({"type": "string", "format": "email", "maxLength": 254, "not": {"pattern": _NO_MAIL}}),
]
Phone = Annotated[
    str,
    StringConstraints(max_length=LONGEST_FIELD),
    WithJsonSchema({"type": "string", "maxLength": LONGEST_FIELD, "pattern": r"^[^\x00]*$"}),
]
"""Any text: a value that does not look like a number is stored, and the lead is flagged."""
Honeypot = Annotated[
    str,
    StringConstraints(max_length=LONGEST_FIELD),
    WithJsonSchema({"type": "string", "maxLength": LONGEST_FIELD, "pattern": r"^[^\x00]*$"}),
]
Slug = Annotated[str, StringConstraints(pattern=r"^[a-z0-9][a-z0-9-]{0,99}$")]
PageAddress = Annotated[Line, AfterValidator(_web_address), _describe(LONGEST_FIELD, pattern=_WEB_ADDRESS)]
Flag = Annotated[bool, BeforeValidator(_true_or_false)]
"""Spelt ``true`` or ``false`` in parts of a body; ``0``, ``yes`` and the like are rejected."""
Accepted = Annotated[bool, AfterValidator(_accepted), WithJsonSchema({"type": "boolean", "const": True})]
LowerCountry = Annotated[
    str,
    BeforeValidator(_lower),
    StringConstraints(pattern=r"^[a-z]{2}$"),
    WithJsonSchema({"type": "string", "pattern": "^[A-Za-z]{2}$"}),
]


FormName = Literal["contact", "estimate"]
"""The form."""


class LenientSchema(Schema):
    """Unknown fields are stored, so that a visitor's input is never lost when a form has new fields."""

    model_config = ConfigDict(extra="allow", hide_input_in_errors=True)

    def __repr_args__(self) -> Iterable[tuple[str | None, Any]]:
        return ()

    def __str__(self) -> str:
        return repr(self)


class Contact(LenientSchema):
    name: ShortLine
    email: EmailLine
    phone: Phone | None = None
    company: ShortLine | None = None


class TeamMember(LenientSchema):
    role: ShortLine | None = None
    seniority: ShortLine | None = None
    count: Annotated[int, Field(ge=1, le=1000)] = 1


class PriceRange(LenientSchema):
    """The price range that the visitor saw, in units of the currency with or without decimals."""

    lowest: Annotated[float, Field(alias="from", ge=0, le=1e12, allow_inf_nan=False)]
    highest: Annotated[float, Field(alias="to", ge=0, le=1e12, allow_inf_nan=False)]
    currency: Annotated[str, StringConstraints(pattern=r"^[A-Z]{3}$")]


class AdClick(LenientSchema):
    type: Literal["gclid", "wbraid", "gbraid"]
    value: Line


class LeadForm(LenientSchema):
    """One enquiry, from the contact form or the estimate's steps. Files are separate parts: ``attachments[0]`` …"""

    form: FormName = "contact"
    contact: Contact
    message: Text | None = None
    services: list[Slug] = []
    """Slugs of service pages."""
    team: list[TeamMember] = []
    months: Annotated[int, Field(ge=1, le=120)] | None = None
    """How many months the team is needed."""
    start: ShortLine | None = None
    """Start date: ``now``, ``quarter``, ``later`` or ``open`` in our own form."""
    step: Annotated[int, Field(ge=0, le=50)] | None = None
    """The step from which the form was sent, or at which it was left."""
    begun: Flag = False
    """True for a partial submission: the visitor left without sending. It also requires accepting the privacy policy.

    A complete form with the same ``Idempotency-Key`` replaces it.
    """
    price: PriceRange | None = None
    page_url: PageAddress
    """URL of the page with the form. Its host decides the site of the lead."""
    first_visit_url: Line | None = None
    session_entry_url: Line | None = None
    ad_click: AdClick | None = None
    country: LowerCountry | None = None
    """The visitor's country, ISO 3166-1 alpha-2 in any case."""
    privacy_accepted: Accepted
    seconds_open: Annotated[float, Field(ge=0, le=1e9, allow_inf_nan=False)] | None = None
    """Seconds between opening and sending the form, by a monotonic clock. Very short times suggest a bot."""
    captcha_token: Line
    """``no-token`` if the captcha gave no token."""
    website: Honeypot = ""
    """Hidden from people. A lead with a value is flagged."""
    submission_id: KeyLine | None = None
    """Same as ``Idempotency-Key``, for a form that is posted without scripts."""


class LeadReceipt(Schema):
    id: str
    status: Literal["received"]
    """``received``: stored safely."""
