"""Reasons to reject a form. A message names fields and rules, never a visitor's input."""

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
    """The form cannot be accepted as it is. ``code`` is stable, ``errors`` names the fields."""

    def __init__(self, code: str, errors: Iterable[FieldProblem] = ()) -> None:
        self.code = code
        self.errors: Sequence[FieldProblem] = tuple(errors)
        super().__init__(code)


class LeadNotStored(Exception):
    """The database or the disk failed. The form can be sent again. The message has no values of it."""


def refuse(code: str, field: str, message: str) -> LeadRefused:
    return LeadRefused(code, [name_field(field, message)])


def name_field(field: str, message: str) -> FieldProblem:
    """Return a problem of a field. The sender may have invented ``field``, so it is cut."""
    shown = field if len(field) <= _LONGEST_NAME else f"{field[:_LONGEST_NAME]}…"
    return FieldProblem(field=shown, message=message)
