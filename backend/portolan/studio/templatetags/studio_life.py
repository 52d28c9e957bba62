"""The last release of the edited object, for the status panel."""

from typing import Any

from django import template

from ..life import LifeLine, tell_life_line
from ..usage import find_object

register = template.Library()


@register.simple_tag
def life_of(usage_url: str | None) -> LifeLine | None:
    """Return the line of the version history, if the object has one."""
    used: Any = find_object(usage_url) if usage_url else None
    return None if used is None else tell_life_line(used)
