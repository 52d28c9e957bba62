"""What the product adds to Wagtail's admin."""

from typing import Any

from django.contrib import messages
from django.http import HttpRequest
from django.templatetags.static import static
from django.urls import URLPattern, path, reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from wagtail import hooks
from wagtail.models import Page

from ..content.changes import keys_of
from ..content.export import export_batch
from .action_menu import put_publishing_first
from .going_live import show_state
from .hiding import toggle_hidden
from .home_panel import SitesPanel

hooks.register("construct_page_action_menu", put_publishing_first)


@hooks.register("register_admin_urls")
def add_urls() -> list[URLPattern]:
    return [
        path("going-live/", show_state, name="studio_state"),
        path("pages/<int:page_id>/hidden/", toggle_hidden, name="studio_toggle_hidden"),
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


@hooks.register("after_publish_page")
def say_what_cannot_go_live(request: HttpRequest, page: Page) -> None:
    """Names at once what the next release would refuse, while the editor still has the page in mind."""
    for problem in sorted({str(p) for found in export_batch(keys_of(page)).problems.values() for p in found}):
        messages.warning(request, f"Saved, but visitors see the last good state: {problem}")
