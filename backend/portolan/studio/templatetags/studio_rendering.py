"""When a page was rendered last, for the panel of its status."""

from typing import Any

from django import template
from wagtail.models import Page

from ..rendering import find_last_rendering

register = template.Library()


@register.simple_tag
def last_rendering(page: Any) -> Any:
    """None for what is no page, or none that visitors see."""
    return find_last_rendering(page) if isinstance(page, Page) and page.pk and page.live else None
