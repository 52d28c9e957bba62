"""The relation of a page, menu, footer or rate card to its source, above its form."""

from typing import Any

from django import template
from wagtail.models import Page

from ..local_versions.screens import find_inheritance

register = template.Library()


@register.inclusion_tag("studio/inheritance.html")
def inheritance(thing: Any) -> dict[str, Any]:
    return {"page": thing if isinstance(thing, Page) else None, "found": find_inheritance(thing)}
