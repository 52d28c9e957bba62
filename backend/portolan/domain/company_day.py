"""The company's own day: what figures such as its age go by, whichever clock the machine has."""

from datetime import date, datetime, time, timedelta
from zoneinfo import ZoneInfo


def company_day(now: datetime, zone: str) -> date:
    """The day at ``now`` (with offset) in the company's time zone."""
    return now.astimezone(ZoneInfo(zone)).date()


def next_day_at(now: datetime, zone: str) -> datetime:
    """When the company's next day begins: mostly at midnight, and where the clocks are put forward then, when that is
    over."""
    there = ZoneInfo(zone)
    tomorrow = company_day(now, zone) + timedelta(days=1)
    return datetime.combine(tomorrow, time(), there).astimezone(now.tzinfo)
