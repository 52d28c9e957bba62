"""The report of scheduled changes."""

from collections.abc import Iterable
from datetime import datetime
from typing import Final, NamedTuple

from django import forms
from django.contrib.auth.models import AnonymousUser, User
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.urls import URLPattern, path, reverse_lazy
from django.utils import timezone
from django.utils.translation import gettext_lazy
from django.utils.translation import gettext_lazy as _
from wagtail.admin.menu import MenuItem
from wagtail.admin.paginator import WagtailPaginator

from ..releases.waking import is_publisher_there
from .pins import say_pins
from .scheduled import Scheduled, find_scheduled, may_see, say_mark, say_what, say_what_to_do, say_when, say_where
from .site_names import site_choices

_ON_A_PAGE: Final = 50
_PAGES: Final = "pages"
_ENTRIES: Final = "entries"


class Row(NamedTuple):
    scheduled: Scheduled
    when: str
    city: str
    own: str
    what: str
    where: str
    mark: str
    """A note if it is overdue; else empty."""
    to_do: str


class ScheduledFilter(forms.Form):
    """Filters the report. An invalid filter is ignored, and the form shows the error."""

    use_required_attribute = False

    site = forms.ChoiceField(
        label=_("Site"),
        required=False,
        choices=site_choices,
    )
    kind = forms.ChoiceField(
        label=_("Kind"),
        required=False,
        choices=[("", _("All kinds")), (_PAGES, _("Pages")), (_ENTRIES, _("Entries"))],
    )

    def is_filtering(self) -> bool:
        return self.is_valid() and any(self.cleaned_data.values())

    def choose(self, rows: Iterable[Scheduled]) -> list[Scheduled]:
        wanted = self.cleaned_data if self.is_valid() else {}
        site, kind = wanted.get("site"), wanted.get("kind")
        return [
            row for row in rows if (not site or site in row.sites) and (not kind or row.is_page == (kind == _PAGES))
        ]


def show_scheduled(request: HttpRequest) -> HttpResponse:
    if not may_see(request.user):
        raise PermissionDenied
    now = timezone.now()
    found = find_scheduled(request.user, now)
    form = ScheduledFilter(request.GET)
    paginator = WagtailPaginator(form.choose(found), _ON_A_PAGE)
    page = paginator.get_page(request.GET.get("p"))
    context = {
        "header_title": gettext_lazy("Scheduled"),
        "header_icon": "calendar-alt",
        "breadcrumbs_items": [{"url": "", "label": gettext_lazy("Scheduled")}],
        "form": form,
        "is_filtering": form.is_filtering(),
        "rows": list_rows(page, request.user, now),
        "pinned": say_pins(),
        "page_obj": page,
        "elided_page_range": paginator.get_elided_page_range(page.number),
    }
    return TemplateResponse(request, "studio/scheduled.html", context)


def list_rows(found: Iterable[Scheduled], user: User | AnonymousUser, now: datetime) -> list[Row]:
    rows = list(found)
    zone = _own_zone(user)
    is_publishing = not any(row.is_overdue(now) for row in rows) or is_publisher_there()
    return [
        Row(
            row,
            *say_when(row, zone),
            say_what(row),
            say_where(row),
            mark := say_mark(row, now),
            say_what_to_do(row, is_publishing) if mark else "",
        )
        for row in rows
    ]


class ScheduledItem(MenuItem):
    def __init__(self) -> None:
        super().__init__(
            gettext_lazy("Scheduled"), reverse_lazy("studio_scheduled"), icon_name="calendar-alt", order=50
        )

    def is_shown(self, request: HttpRequest) -> bool:
        return may_see(request.user)


URLS: Final[list[URLPattern]] = [path("reports/scheduled/", show_scheduled, name="studio_scheduled")]


def _own_zone(user: User | AnonymousUser) -> str:
    """Return the time zone of the editor's account; empty for none."""
    profile = getattr(user, "wagtail_userprofile", None)
    return profile.current_time_zone if profile else ""
