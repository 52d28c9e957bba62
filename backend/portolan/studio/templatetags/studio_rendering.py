"""The last rendering of a page, for the status panel."""

from typing import Any

from django import template
from wagtail.models import Page

from ..rendering import find_last_rendering

register = template.Library()


@register.simple_tag
def last_rendering(page: Any) -> Any:
    """Return the last rendering, if the object is a live page."""
    return find_last_rendering(page) if isinstance(page, Page) and page.pk and page.live else None
