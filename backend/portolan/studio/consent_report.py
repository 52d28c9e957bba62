"""The report of consent records, with export as CSV or XLSX. Records are read-only.

It is for superusers and users with the permission "Can view consent record".
"""

from typing import Any, ClassVar

import django_filters
from django.conf import settings
from django.contrib.auth.models import Permission
from django.db.models import QuerySet
from django.http import HttpRequest
from django.urls import reverse_lazy
from django.utils import timezone
from django.utils.translation import gettext_lazy
from django.utils.translation import gettext_lazy as _
from wagtail.admin.filters import DateRangePickerWidget, WagtailFilterSet
from wagtail.admin.menu import MenuItem
from wagtail.admin.ui.tables import BooleanColumn, Column, DateColumn
from wagtail.admin.views.reports import ReportView
from wagtail.permission_policies import ModelPermissionPolicy

from ..consent_records.models import ConsentRecord

_POLICY = ModelPermissionPolicy(ConsentRecord)
_MAY_SEE = ["view"]


def _sites() -> list[tuple[str, str]]:
    return [(key, site.name) for key, site in settings.SITES_REGISTRY.sites.items()]


class ConsentFilterSet(WagtailFilterSet):
    made_at = django_filters.DateFromToRangeFilter(label=_("Time"), widget=DateRangePickerWidget)
    site = django_filters.ChoiceFilter(choices=_sites)

    class Meta:
        model = ConsentRecord
        fields: ClassVar[list[str]] = ["made_at", "site", "method", "policy_version"]


class ConsentReport(ReportView):
    model = ConsentRecord
    permission_policy = _POLICY
    any_permission_required = _MAY_SEE
    page_title = _("Consent records")
    header_icon = "check"
    filterset_class = ConsentFilterSet
    index_url_name = "studio_consent"
    index_results_url_name = "studio_consent_results"
    columns = (
        DateColumn("made_at", label=_("Time"), sort_key="made_at"),
        Column("site", label=_("Site")),
        BooleanColumn("analytics_storage", label=_("Statistics")),
        BooleanColumn("ad_storage", label=_("Advertising")),
        Column("method", label=_("Method"), accessor="get_method_display"),
        Column("policy_version", label=_("Policy")),
        Column("text_hash", label=_("Text")),
        Column("id", label=_("Record")),
    )
    list_export: ClassVar[list[str]] = [
        "id", "made_at", "site", "policy_version", "text_hash", "ad_storage", "analytics_storage",
        "get_method_display",
    ]  # fmt: skip
    export_headings: ClassVar[dict[str, Any]] = {
        "id": _("Record"),
        "made_at": _("Time (UTC)"),
        "site": _("Site"),
        "policy_version": _("Policy"),
        "text_hash": _("Text"),
        "ad_storage": _("Advertising"),
        "analytics_storage": _("Statistics"),
        "get_method_display": _("Method"),
    }

    def get_queryset(self) -> QuerySet[ConsentRecord]:
        return ConsentRecord.objects.all()

    def get_filename(self) -> str:
        return f"consent-records-{timezone.now():%Y-%m-%d}"


class ConsentReportItem(MenuItem):
    def __init__(self) -> None:
        super().__init__(gettext_lazy("Consent records"), reverse_lazy("studio_consent"), icon_name="check", order=900)

    def is_shown(self, request: HttpRequest) -> bool:
        shown: bool = _POLICY.user_has_any_permission(request.user, _MAY_SEE)
        return shown


def list_permissions() -> QuerySet[Permission]:
    """Permissions that superusers may give to groups."""
    return Permission.objects.filter(content_type__app_label="consent_records", codename="view_consentrecord")
