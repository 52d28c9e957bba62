"""List the page types that also have a card: a small item of its own, shown in lists."""

from collections.abc import Mapping
from typing import Any, Final

CARD_KINDS: Final[Mapping[str, str]] = {
    "case-study": "project",
    "article": "news",
    "event": "event",
    "blueprint": "blueprint",
}
"""Kind of the card in a release, by page type. The card's key is the page's translation key, its ID in the API."""

FACT_LISTS: Final[Mapping[str, Mapping[str, Any]]] = {
    "case-study": {
        "related": {
            "$items": "project",
            "choose": ["related"],
            "first": 3,
            "pick": [
                "id", "slug", "title", "summary", "client", "country", "cover", "link",
                "industries", "services", "technologies",
            ],
        },
    },
}  # fmt: skip
"""By page type: lists that the layout shows in addition to the editors' content, as references."""
