"""What the product adds to Wagtail's admin."""

from typing import Any

from django.contrib import messages
from django.db.models import Model
from django.http import HttpRequest
from django.templatetags.static import static
from django.urls import URLPattern, path, reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from wagtail import hooks

from ..content.changes import keys_of
from ..content.export import export_batch
from .action_menu import put_publishing_first
from .consent_panel import ConsentPanel
from .consent_report import ConsentReport, ConsentReportItem, list_permissions
from .going_live import show_state
from .hiding import toggle_hidden
from .home_panel import SitesPanel
from .leads import menu as leads_menu
from .leads import rights as leads_rights
from .leads.decisions import name_actions

hooks.register("construct_page_action_menu", put_publishing_first)


@hooks.register("register_admin_urls")
def add_urls() -> list[URLPattern]:
    return [
        path("going-live/", show_state, name="studio_state"),
        path("pages/<int:page_id>/hidden/", toggle_hidden, name="studio_toggle_hidden"),
        path("reports/consent/", ConsentReport.as_view(), name="studio_consent"),
        path("reports/consent/results/", ConsentReport.as_view(results_only=True), name="studio_consent_results"),
        *leads_menu.URLS,
    ]


@hooks.register("insert_global_admin_css")
def add_brand() -> SafeString:
    return format_html('<link rel="stylesheet" href="{}">', static("studio/studio.css"))


@hooks.register("insert_global_admin_js")
def add_state() -> SafeString:
    return format_html(
        '<script src="{}" data-url="{}"></script>', static("studio/going-live.js"), reverse("studio_state")
    )


@hooks.register("construct_homepage_panels")
def add_sites_panel(request: HttpRequest, panels: list[Any]) -> None:
    panels.insert(0, SitesPanel())
    panels.insert(0, ConsentPanel())


@hooks.register("register_reports_menu_item")
def add_consent_report() -> ConsentReportItem:
    return ConsentReportItem()


hooks.register("register_admin_menu_item", leads_menu.LeadsItem)
hooks.register("register_log_actions", name_actions)
hooks.register("register_permissions", list_permissions)
hooks.register("register_permissions", leads_rights.list_permissions)


@hooks.register("after_publish_page")
@hooks.register("after_create_snippet")
@hooks.register("after_edit_snippet")
def say_what_cannot_go_live(request: HttpRequest, edited: Model) -> None:
    """Names at once what the next release would refuse, while the editor still has the page or entry in mind."""
    for problem in sorted({str(p) for found in export_batch(keys_of(edited)).problems.values() for p in found}):
        messages.warning(request, f"Saved, but visitors see the last good state: {problem}")
