"""The URL of the version history of a page, entry or setting."""

from typing import Final
from urllib.parse import urlencode

from django.urls import reverse

from ..content.collections import COLLECTIONS
from ..content.export import SETTINGS
from ..content.items import PAGE, REDIRECT
from ..releases.reader import ItemId

_OF_A_SITE: Final = (PAGE, REDIRECT, *SETTINGS)


def find_version_history_url(id: ItemId) -> str:
    """Return the URL of an item's version history; empty if it has none of its own."""
    if id.kind in COLLECTIONS:
        return _url(kind=id.kind, key=id.key)
    return _url(kind=id.kind, site=id.site, key=id.key) if id.kind in _OF_A_SITE else ""


def _url(**subject: str) -> str:
    return f"{reverse('studio_version_history')}?{urlencode(subject)}"
