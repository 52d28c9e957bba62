"""The last release of the edited object, for the status panel."""

from typing import Any

from django import template

from ..usage import find_object
from ..version_history import VersionHistoryLine, find_version_history_line

register = template.Library()


@register.simple_tag
def version_history_of(usage_url: str | None) -> VersionHistoryLine | None:
    """Return the line of the version history, if the object has one."""
    used: Any = find_object(usage_url) if usage_url else None
    return None if used is None else find_version_history_line(used)
