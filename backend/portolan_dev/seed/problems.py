"""What is wrong with fixtures: collected, so that one run names all of it."""

from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple

from django.core.exceptions import NON_FIELD_ERRORS, ValidationError

_MISSING: Final = ("blank", "null", "required")


class FixtureProblem(NamedTuple):
    file: Path
    field: str
    message: str

    def __str__(self) -> str:
        return f"{self.file}: " + (f"{self.field}: " if self.field else "") + self.message


class FixtureError(Exception):
    """Fixtures cannot be loaded. ``problems`` has one entry for each thing to fix."""

    def __init__(self, problems: list[FixtureProblem]) -> None:
        self.problems = problems
        super().__init__("\n".join(map(str, problems)))


def flatten(error: ValidationError, field: str = "") -> Iterator[tuple[str, str]]:
    """(field, message) of each error, also of those deep inside stream fields: ``blocks.2.cards.0.title``."""
    nested = _nested(error)
    if nested:
        for name, inner in nested:
            yield from flatten(inner, ".".join(part for part in (field, name) if part))
    elif hasattr(error, "error_dict"):
        for name, errors in error.error_dict.items():
            for inner in errors:
                yield from flatten(
                    inner, ".".join(part for part in (field, "" if name == NON_FIELD_ERRORS else name) if part)
                )
    elif len(error.error_list) > 1 or error.error_list[0] is not error:
        for inner in error.error_list:
            yield from flatten(inner, field)
    elif getattr(error, "code", None) in _MISSING:
        yield field, "is missing; add it"
    else:
        yield from ((field, message) for message in error.messages)


def _nested(error: ValidationError) -> list[tuple[str, ValidationError]]:
    """Errors of the parts of a stream, list or struct, by the part's name or place (counted from 0)."""
    parts = getattr(error, "block_errors", None)
    if not parts:
        return []
    named = parts.items() if isinstance(parts, dict) else enumerate(parts)
    found = [(str(name), inner) for name, inner in named if inner is not None]
    own = getattr(error, "non_block_errors", None)
    return [*found, *(("", inner) for inner in (own.as_data() if own else ()))]
