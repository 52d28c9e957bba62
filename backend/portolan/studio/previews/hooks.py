"""Connect previews to Wagtail's screens."""

from collections.abc import Iterable
from typing import Any

from django.conf import settings
from django.db.models import Model
from django.templatetags.static import static
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from wagtail import hooks
from wagtail.admin.widgets.button import Button
from wagtail.models import Page

from ...content.collections.base import Entry
from ...content.site_setting import SiteSetting
from ...domain.previews import Shown
from . import screen
from .models import subject_of_entry


def register() -> None:
    hooks.register("register_admin_menu_item", screen.PreviewItem)
    hooks.register("register_page_header_buttons", list_page_buttons)
    hooks.register("register_entry_header_buttons", list_entry_buttons)
    hooks.register("insert_global_admin_css", add_style)


def list_page_buttons(page: Page, user: Any, view_name: str, next_url: str | None = None) -> Iterable[Button]:
    if settings.PREVIEW_DOMAIN and page.pk and page.latest_revision_id and page.permissions_for_user(user).can_edit():
        url = screen.url_of(Shown.PAGE, str(page.pk))
        yield Button(_("Preview with scripts, share"), url, icon_name="view", priority=44)


def list_entry_buttons(edited: Model) -> Iterable[Button]:
    if settings.PREVIEW_DOMAIN and isinstance(edited, Entry | SiteSetting) and edited.pk:
        url = screen.url_of(Shown.ENTRY, subject_of_entry(edited))
        yield Button(_("Preview with scripts, share"), url, icon_name="view", priority=44)


def add_style() -> SafeString:
    return format_html('<link rel="stylesheet" href="{}">', static("studio/previews.css"))
