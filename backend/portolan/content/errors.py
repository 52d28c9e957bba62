"""What an editor can fix: every message names the page, the field and what to do."""

from collections.abc import Sequence
from typing import NamedTuple


class FreezeProblem(NamedTuple):
    """One thing to fix, in terms that editors know."""

    place: str
    """The page, entry or other content, e.g. ``“Impressum” (/impressum, de)``."""
    field: str
    """Where inside it, e.g. ``Body, block 3 (Cards), cards 2, link``; empty for the whole."""
    message: str

    def __str__(self) -> str:
        return ", ".join(part for part in (self.place, self.field) if part) + f": {self.message}"


class FreezeError(Exception):
    """Content cannot be frozen. ``problems`` lists all that was found, not only the first."""

    def __init__(self, problems: Sequence[FreezeProblem]) -> None:
        self.problems = list(problems)
        super().__init__("\n".join(map(str, self.problems)))
