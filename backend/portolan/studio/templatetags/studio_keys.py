"""Add the studio's keyboard shortcuts to Wagtail's list. ``publish-in-form.js`` binds the keys."""

from typing import Any, Final

from django import template
from django.utils.translation import gettext

register = template.Library()

_ACTIONS: Final = "admin-core-models"
_SAVE: Final = " + s"
"""End of the shortcut for saving, after the computer's modifier key."""


@register.filter
def with_publishing(shortcuts: dict[Any, list[Any]]) -> dict[Any, list[Any]]:
    """Return all groups, with publishing after saving: ``{{ shortcuts|with_publishing }}``."""
    return {group: _add(rows) if group[0] == _ACTIONS else rows for group, rows in shortcuts.items()}


def _add(rows: list[Any]) -> list[Any]:
    found = []
    for row in rows:
        found.append(row)
        if row and row[1].endswith(_SAVE):
            key = row[1].removesuffix(_SAVE)
            found.append((gettext("Publish"), f"{key} + {'⌥' if key == '⌘' else 'Alt'} + p"))
    return found
