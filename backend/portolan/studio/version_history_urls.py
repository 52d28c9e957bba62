"""The address of the screen that tells the version history of a page, an entry or a setting."""

from typing import Final
from urllib.parse import urlencode

from django.urls import reverse

from ..content.collections import COLLECTIONS
from ..content.export import SETTINGS
from ..content.items import PAGE, REDIRECT
from ..releases.reader import ItemId

_OF_A_SITE: Final = (PAGE, REDIRECT, *SETTINGS)


def find_version_history_url(id: ItemId) -> str:
    """Empty for what is told with its page, or has no version history of its own."""
    if id.kind in COLLECTIONS:
        return _url(kind=id.kind, key=id.key)
    return _url(kind=id.kind, site=id.site, key=id.key) if id.kind in _OF_A_SITE else ""


def _url(**subject: str) -> str:
    return f"{reverse('studio_version_history')}?{urlencode(subject)}"
