"""The log of sign-ins, for administrators of all sites."""

from typing import Any, ClassVar

import django_filters
from django.conf import settings
from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.urls import path, reverse_lazy
from django.utils import timezone
from django.utils.translation import gettext_lazy, ngettext
from django.utils.translation import gettext_lazy as _
from wagtail.admin.filters import DateRangePickerWidget, WagtailFilterSet
from wagtail.admin.menu import MenuItem
from wagtail.admin.ui.tables import Column, DateColumn
from wagtail.admin.views.reports import ReportView

from ...accounts.models import SignIn
from ...content.may import RIGHTS
from ...domain.roles import Action
from ...rights.held import has_everywhere


class SignInFilterSet(WagtailFilterSet):
    at = django_filters.DateFromToRangeFilter(label=_("Time"), widget=DateRangePickerWidget)
    name = django_filters.CharFilter(label=_("Name"), lookup_expr="icontains")

    class Meta:
        model = SignIn
        fields: ClassVar[list[str]] = ["at", "name", "result", "factor"]


class SignInReport(ReportView):
    model = SignIn
    page_title = _("Sign-ins")
    header_icon = "key"
    filterset_class = SignInFilterSet
    index_url_name = "studio_sign_ins"
    index_results_url_name = "studio_sign_ins_results"
    columns = (
        DateColumn("at", label=_("Time"), sort_key="at"),
        Column("name", label=_("Name")),
        Column("network", label=_("Network")),
        Column("factor", label=_("Method"), accessor="get_factor_display"),
        Column("result", label=_("Result"), accessor="get_result_display"),
    )
    list_export: ClassVar[list[str]] = ["at", "name", "network", "get_factor_display", "get_result_display"]
    export_headings: ClassVar[dict[str, Any]] = {
        "at": _("Time (UTC)"),
        "name": _("Name"),
        "network": _("Network"),
        "get_factor_display": _("Method"),
        "get_result_display": _("Result"),
    }

    def dispatch(self, request: HttpRequest, *args: object, **kwargs: object) -> HttpResponse:
        if not has_everywhere(request.user, RIGHTS[Action.SEE_SIGN_INS]):
            raise PermissionDenied
        response: HttpResponse = super().dispatch(request, *args, **kwargs)
        return response

    def get_queryset(self) -> QuerySet[SignIn]:
        return SignIn.objects.all()

    def get_page_subtitle(self) -> str:
        days = settings.SIGN_INS_KEPT_DAYS
        return ngettext("kept for {days} day", "kept for {days} days", days).format(days=days)

    def get_filename(self) -> str:
        return f"sign-ins-{timezone.now():%Y-%m-%d}"


class SignInsItem(MenuItem):
    def __init__(self) -> None:
        super().__init__(gettext_lazy("Sign-ins"), reverse_lazy("studio_sign_ins"), icon_name="key", order=950)

    def is_shown(self, request: HttpRequest) -> bool:
        return has_everywhere(request.user, RIGHTS[Action.SEE_SIGN_INS])


URLS = [
    path("reports/sign-ins/", SignInReport.as_view(), name="studio_sign_ins"),
    path("reports/sign-ins/results/", SignInReport.as_view(results_only=True), name="studio_sign_ins_results"),
]
