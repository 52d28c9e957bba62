"""The studio's own keyboard shortcuts in Wagtail's list of them. ``publish-in-form.js`` binds the keys."""

from typing import Any, Final

from django import template
from django.utils.translation import gettext

register = template.Library()

_ACTIONS: Final = "admin-core-models"
_SAVE: Final = " + s"
"""How the keys for saving end. Before it stands the name of the key that this computer has for shortcuts."""


@register.filter
def with_publishing(shortcuts: dict[Any, list[Any]]) -> dict[Any, list[Any]]:
    """``{{ shortcuts|with_publishing }}``: all groups, and publishing after saving."""
    return {group: _add(rows) if group[0] == _ACTIONS else rows for group, rows in shortcuts.items()}


def _add(rows: list[Any]) -> list[Any]:
    found = []
    for row in rows:
        found.append(row)
        if row and row[1].endswith(_SAVE):
            key = row[1].removesuffix(_SAVE)
            found.append((gettext("Publish"), f"{key} + {'⌥' if key == '⌘' else 'Alt'} + p"))
    return found
