"""Name the placeholders for the company's figures (spec §1)."""

from datetime import date
from typing import Final

PLACEHOLDERS: Final = ("age", "employees", "projects", "offices", "company", "year")


def company_age(founded: date, today: date) -> int:
    """Return whole years since the founding date."""
    return today.year - founded.year - ((today.month, today.day) < (founded.month, founded.day))
