"""The calendar screen: a month as a table, or its entries as a list by day."""

from calendar import Calendar
from datetime import date, timedelta
from typing import Any, Final, NamedTuple

from django.conf import settings
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.urls import URLPattern, path, reverse_lazy
from django.utils import timezone
from django.utils.translation import gettext_lazy
from wagtail.admin.menu import MenuItem

from ...content.scheduling import name_zone
from ..scheduled import may_see
from .dates import Entry, by_day, find_entries

_MOST_IN_A_DAY: Final = 4
"""In the table; the list has all of them."""
_YEARS: Final = range(2000, 2101)
_AGENDA: Final = "agenda"


class Day(NamedTuple):
    day: date
    is_other: bool
    """Of the month before or after."""
    is_today: bool
    entries: list[Entry]
    more: int


def read_month(text: str, today: date) -> date:
    """Its first day; today's month where ``text`` is none.

    >>> read_month("2026-12", date(2026, 11, 24))
    datetime.date(2026, 12, 1)
    """
    year, _, month = text.partition("-")
    try:
        found = date(int(year), int(month), 1)
    except ValueError:
        return today.replace(day=1)
    return found if found.year in _YEARS else today.replace(day=1)


def weeks_of(month: date, today: date, days: dict[date, list[Entry]]) -> list[list[Day]]:
    """From Monday to Sunday; whole weeks, with days of the months around."""
    return [
        [
            Day(
                day,
                day.month != month.month,
                day == today,
                days.get(day, [])[:_MOST_IN_A_DAY],
                max(0, len(days.get(day, [])) - _MOST_IN_A_DAY),
            )
            for day in week
        ]
        for week in Calendar().monthdatescalendar(month.year, month.month)
    ]


def show_calendar(request: HttpRequest) -> HttpResponse:
    user: Any = request.user
    if not may_see(user):
        raise PermissionDenied
    zone = timezone.get_current_timezone_name()
    today = timezone.localdate()
    month = read_month(request.GET.get("month", ""), today)
    after = (month + timedelta(days=31)).replace(day=1)
    sites = settings.SITES_REGISTRY.sites
    site = request.GET.get("site", "")
    site = site if site in sites else ""
    is_agenda = request.GET.get("view") == _AGENDA
    first, last = month, after - timedelta(days=1)
    if not is_agenda:
        first, last = first - timedelta(days=first.weekday()), last + timedelta(days=6 - last.weekday())
    days = by_day(find_entries(user, first, last, site, zone))
    context = {
        "month": month,
        "before": month - timedelta(days=1),
        "after": after,
        "today": today,
        "site": site,
        "sites": [(key, rules.name) for key, rules in sites.items()],
        "is_agenda": is_agenda,
        "view": _AGENDA if is_agenda else "",
        "weeks": [] if is_agenda else weeks_of(month, today, days),
        "days": sorted(days.items()) if is_agenda else [],
        "is_empty": not days,
        "zone": zone,
        "city": name_zone(zone),
    }
    return TemplateResponse(request, "studio/changes/calendar.html", context)


class CalendarItem(MenuItem):
    def __init__(self) -> None:
        super().__init__(
            gettext_lazy("Calendar"),
            reverse_lazy("studio_calendar"),
            name="calendar",
            icon_name="calendar-alt",
            order=170,
        )

    def is_shown(self, request: HttpRequest) -> bool:
        return may_see(request.user)


URLS: Final[list[URLPattern]] = [path("calendar/", show_calendar, name="studio_calendar")]
