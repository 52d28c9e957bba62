"""The one error body of the API (RFC 9457)."""

from .base import Schema


class FieldProblem(Schema):
    field: str
    """Where the value stood, e.g. ``query.page``."""
    message: str


class Problem(Schema):
    type: str = "about:blank"
    title: str
    """The status in words."""
    status: int
    code: str
    """Stable: what programs go by, e.g. ``unknown-office``."""
    detail: str
    """What happened and what to do, for people."""
    errors: list[FieldProblem] = []
    """Each field that is wrong, with 422."""
