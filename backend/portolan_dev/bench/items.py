"""Items of generated content."""

from typing import Any, NamedTuple


class Item(NamedTuple):
    """One item of a release."""

    site: str
    """Empty for items of all sites."""
    kind: str
    key: str
    body: Any
