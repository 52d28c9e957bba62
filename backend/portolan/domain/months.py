"""Add and subtract calendar months."""

from calendar import monthrange
from datetime import datetime


def add_months(now: datetime, months: int) -> datetime:
    """Return the same day and time some calendar months later, or the month's last day if it has no such day.

    >>> add_months(datetime(2026, 11, 30), 3)
    datetime.datetime(2027, 2, 28, 0, 0)
    """
    return subtract_months(now, -months)


def subtract_months(now: datetime, months: int) -> datetime:
    """Return the same day and time some calendar months earlier, or the month's last day if it has no such day.

    >>> subtract_months(datetime(2026, 5, 31), 3)
    datetime.datetime(2026, 2, 28, 0, 0)
    """
    year, month = divmod(now.year * 12 + now.month - 1 - months, 12)
    day = min(now.day, monthrange(year, month + 1)[1])
    return now.replace(year=year, month=month + 1, day=day)
