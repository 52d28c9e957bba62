"""Why a form is refused. A message names fields and rules, never what somebody typed."""

from collections.abc import Iterable, Sequence
from typing import Final

from ..schemas.problem import FieldProblem

MALFORMED_BODY: Final = "malformed-body"
BODY_TOO_LARGE: Final = "body-too-large"
FILE_TOO_LARGE: Final = "file-too-large"
NO_MULTIPART: Final = "no-multipart"
UNSUPPORTED_FILE: Final = "unsupported-file"
UNSAFE_ARCHIVE: Final = "unsafe-archive"
INVALID_VALUE: Final = "invalid-value"
CAPTCHA_REFUSED: Final = "captcha-refused"
KEY_REUSED: Final = "idempotency-key-reused"

_LONGEST_NAME: Final = 100


class LeadRefused(Exception):
    """The form cannot be taken as it is. ``code`` is stable, ``errors`` names the fields."""

    def __init__(self, code: str, errors: Iterable[FieldProblem] = ()) -> None:
        self.code = code
        self.errors: Sequence[FieldProblem] = tuple(errors)
        super().__init__(code)


class LeadNotStored(Exception):
    """The form may be right, but the database or the disk fails: it can be sent again. The message contains no
    value."""


def refuse(code: str, field: str, message: str) -> LeadRefused:
    return LeadRefused(code, [name_field(field, message)])


def name_field(field: str, message: str) -> FieldProblem:
    """``field`` may be invented by the sender, so it is cut before it is shown."""
    shown = field if len(field) <= _LONGEST_NAME else f"{field[:_LONGEST_NAME]}…"
    return FieldProblem(field=shown, message=message)
