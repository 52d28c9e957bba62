"""What the product adds to Wagtail's admin."""

from typing import Any

from django.contrib import messages
from django.http import HttpRequest
from django.templatetags.static import static
from django.utils.html import format_html
from django.utils.safestring import SafeString
from wagtail import hooks
from wagtail.models import Page

from ..content.changes import keys_of
from ..content.export import export_batch
from .home_panel import SitesPanel


@hooks.register("insert_global_admin_css")
def add_brand() -> SafeString:
    return format_html('<link rel="stylesheet" href="{}">', static("studio/studio.css"))


@hooks.register("construct_homepage_panels")
def add_sites_panel(request: HttpRequest, panels: list[Any]) -> None:
    panels.insert(0, SitesPanel())


@hooks.register("after_publish_page")
def say_what_cannot_go_live(request: HttpRequest, page: Page) -> None:
    """Names at once what the next release would refuse, while the editor still has the page in mind."""
    for problem in sorted({str(p) for found in export_batch(keys_of(page)).problems.values() for p in found}):
        messages.warning(request, f"Saved, but visitors see the last good state: {problem}")
