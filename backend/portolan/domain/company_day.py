"""Days of a place: the company's, which figures such as its age go by, and a site's, which its events go by, whichever
clock the machine has."""

from datetime import date, datetime, time, timedelta
from typing import Final
from zoneinfo import ZoneInfo

_LAST_DAY: Final = date.max - timedelta(days=7)  # the day after it is a day in every time zone


def company_day(now: datetime, zone: str) -> date:
    """The day at ``now`` (with offset) in the company's time zone."""
    return now.astimezone(ZoneInfo(zone)).date()


def next_day_at(now: datetime, zone: str) -> datetime:
    """When the company's next day begins: mostly at midnight, and where the clocks are put forward then, when that is
    over."""
    return end_of_day(company_day(now, zone), zone).astimezone(now.tzinfo)


def end_of_day(day: date, zone: str) -> datetime:
    """When a day is over in a time zone; that of the last days of the calendar is never."""
    return datetime.combine(min(day, _LAST_DAY) + timedelta(days=1), time(), ZoneInfo(zone))
