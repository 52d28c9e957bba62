"""Name the places where visitors see a text of the interface."""

from collections.abc import Iterable
from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

_OTHER: Final = "other"
PLACES: Final[dict[str, Promise]] = {
    "form": _("Forms"),
    "cookies": _("Cookie notice and settings"),
    "header": _("Header and menu"),
    "footer": _("Footer"),
    "language": _("Language notice and switcher"),
    "loading": _("Change of page"),
    "lists": _("Lists of news, case studies, reviews and offices"),
    _OTHER: _("Other parts of pages"),
}
"""In the order of the filter."""
_FOLDERS: Final = {
    "features/lead-form": "form",
    "blocks/estimate-teaser": "form",
    "features/consent": "cookies",
    "features/header": "header",
    "document/frame.tsx": "header",
    "features/footer": "footer",
    "features/language-notice": "language",
    "document/page.tsx": "language",
    "features/page-loading": "loading",
    "features/news": "lists",
    "features/projects": "lists",
    "features/reviews": "lists",
    "features/offices": "lists",
}
"""Place by the folder of the code, below `web/src`."""


def places_of(folders: Iterable[str]) -> list[str]:
    """Return the keys of the places of a text, in the order of ``PLACES``."""
    found = {_FOLDERS.get(folder, _OTHER) for folder in folders}
    if len(found) > 1:
        found.discard(_OTHER)
    return [place for place in PLACES if place in found]
