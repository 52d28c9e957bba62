"""Compute days in the time zone of the company (for its figures) or of a site (for its events)."""

from datetime import date, datetime, time, timedelta
from typing import Final
from zoneinfo import ZoneInfo

_LAST_DAY: Final = date.max - timedelta(days=7)  # the day after it is a day in every time zone


def company_day(now: datetime, zone: str) -> date:
    """Return the date at ``now`` (with offset) in the company's time zone."""
    return now.astimezone(ZoneInfo(zone)).date()


def next_day_at(now: datetime, zone: str) -> datetime:
    """Return the start of the company's next day: midnight, or later if the clocks go forward at midnight."""
    return end_of_day(company_day(now, zone), zone).astimezone(now.tzinfo)


def end_of_day(day: date, zone: str) -> datetime:
    """Return the moment at which a day ends in a time zone; for the calendar's last days, the last moment there is."""
    return datetime.combine(min(day, _LAST_DAY) + timedelta(days=1), time(), ZoneInfo(zone))
