"""Cards: pages of some families are shown in lists too, as small items of their own beside the page."""

from collections.abc import Mapping
from typing import Final

CARD_KINDS: Final[Mapping[str, str]] = {
    "case-study": "project",
    "article": "news",
    "event": "event",
    "blueprint": "blueprint",
}
"""Kind of the card in a release by the page's family. The card's key is the page's translation key, its id in the API."""
