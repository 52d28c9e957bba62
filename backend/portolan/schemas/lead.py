"""What a form sends, and the receipt (spec §3 multi-step payload, §7 POST integration/form-data).

A lead tells of a person: nothing here shows values in a ``repr`` or in an error message.
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
"""For the document: names that are no domains of anybody (RFC 6761)."""
_WEB_ADDRESS: Final = r"^https?://[A-Za-z0-9]([A-Za-z0-9.-]*[A-Za-z0-9])?(:[0-9]{1,5})?([/?#][!-~]*)?$"
"""As browsers write the address of a page: other letters are encoded in it."""


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
        raise ValueError("must be a whole address: https://…")
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
    """Something to read in it, and no control characters."""
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
"""Any text: what does not look like a number is kept, and the lead is flagged."""
Honeypot = Annotated[
    str,
    StringConstraints(max_length=LONGEST_FIELD),
    WithJsonSchema({"type": "string", "maxLength": LONGEST_FIELD, "pattern": r"^[^\x00]*$"}),
]
Slug = Annotated[str, StringConstraints(pattern=r"^[a-z0-9][a-z0-9-]{0,99}$")]
PageAddress = Annotated[Line, AfterValidator(_web_address), _describe(LONGEST_FIELD, pattern=_WEB_ADDRESS)]
Flag = Annotated[bool, BeforeValidator(_true_or_false)]
"""As parts of a body spell it; ``0``, ``yes`` and the like are refused."""
Accepted = Annotated[bool, AfterValidator(_accepted), WithJsonSchema({"type": "boolean", "const": True})]
LowerCountry = Annotated[
    str,
    BeforeValidator(_lower),
    StringConstraints(pattern=r"^[a-z]{2}$"),
    WithJsonSchema({"type": "string", "pattern": "^[A-Za-z]{2}$"}),
]


FormName = Literal["contact", "estimate"]
"""Which of our forms it is."""


class LenientSchema(Schema):
    """Fields nobody knows are kept: what a visitor has typed is not thrown away because a form grew."""

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
    """What the calculator showed, in whole or broken units of the currency."""

    lowest: Annotated[float, Field(alias="from", ge=0, le=1e12, allow_inf_nan=False)]
    highest: Annotated[float, Field(alias="to", ge=0, le=1e12, allow_inf_nan=False)]
    currency: Annotated[str, StringConstraints(pattern=r"^[A-Z]{3}$")]


class AdClick(LenientSchema):
    type: Literal["gclid", "wbraid", "gbraid"]
    value: Line


class LeadForm(LenientSchema):
    """One enquiry, of the contact form or of the estimate's steps. Files are beside it: ``attachments[0]`` …"""

    form: FormName = "contact"
    contact: Contact
    message: Text | None = None
    services: list[Slug] = []
    """Slugs of service pages."""
    team: list[TeamMember] = []
    months: Annotated[int, Field(ge=1, le=120)] | None = None
    """How long the team is needed."""
    start: ShortLine | None = None
    """When the work is to begin: ``now``, ``quarter``, ``later`` or ``open`` in our own form."""
    step: Annotated[int, Field(ge=0, le=50)] | None = None
    """The step of the form it was sent from, or left at."""
    begun: Flag = False
    """Not sent but left: what had been entered when the visitor went away. It needs the privacy policy accepted like any other.
    The whole form under the same ``Idempotency-Key`` takes its place."""
    price: PriceRange | None = None
    page_url: PageAddress
    """The page the form stands on. Its host says which site the lead is of."""
    first_visit_url: Line | None = None
    session_entry_url: Line | None = None
    ad_click: AdClick | None = None
    country: LowerCountry | None = None
    """The visitor's, ISO 3166-1 alpha-2 in any case."""
    privacy_accepted: Accepted
    seconds_open: Annotated[float, Field(ge=0, le=1e9, allow_inf_nan=False)] | None = None
    """How long the form had been open when it was sent, by a clock that only goes forward. Nobody fills one in at once."""
    captcha_token: Line
    """``no-token`` where the captcha gave none."""
    website: Honeypot = ""
    """People do not see this field. Whoever fills it is flagged."""
    submission_id: KeyLine | None = None
    """What ``Idempotency-Key`` is, for a form that is posted without scripts."""


class LeadReceipt(Schema):
    id: str
    status: Literal["received"]
    """``received``: stored, and it will not be lost."""
