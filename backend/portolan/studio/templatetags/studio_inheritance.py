"""The relation of a page to its source, above its form."""

from typing import Any

from django import template
from wagtail.models import Page

from ..local_versions.screens import find_inheritance

register = template.Library()


@register.inclusion_tag("studio/inheritance.html")
def inheritance(page: Page) -> dict[str, Any]:
    return {"page": page, "found": find_inheritance(page)}
