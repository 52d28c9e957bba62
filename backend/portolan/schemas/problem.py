"""Define the error body of the API (RFC 9457)."""

from .base import Schema


class FieldProblem(Schema):
    field: str
    """Place of the value, e.g. ``query.page``."""
    message: str


class Problem(Schema):
    type: str = "about:blank"
    title: str
    """The status in words."""
    status: int
    code: str
    """Permanent code for programs, e.g. ``unknown-office``."""
    detail: str
    """The error and the fix, for people."""
    errors: list[FieldProblem] = []
    """Each wrong field, for status 422."""
