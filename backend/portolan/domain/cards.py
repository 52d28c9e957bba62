"""Cards: pages of some families are shown in lists too, as small items of their own beside the page."""

from collections.abc import Mapping
from typing import Any, Final

CARD_KINDS: Final[Mapping[str, str]] = {
    "case-study": "project",
    "article": "news",
    "event": "event",
    "blueprint": "blueprint",
}
"""Kind of the card in a release by the page's family. The card's key is the page's translation key, its id in the API."""

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
"""What the layout of a family lists beside what editors write, as references: facts of the page, by the page's family."""
