"""The company's age (spec §1: founded in February 2007)."""

from datetime import date

import pytest

from portolan.domain.company import company_age

FOUNDED = date(2007, 2, 1)


@pytest.mark.parametrize(
    ("today", "age"),
    [(date(2026, 1, 31), 18), (date(2026, 2, 1), 19), (date(2026, 12, 31), 19), (date(2027, 2, 1), 20), (FOUNDED, 0)],
)
def test_age_counts_whole_years(today: date, age: int) -> None:
    assert company_age(FOUNDED, today) == age
