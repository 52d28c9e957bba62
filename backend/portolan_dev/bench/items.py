"""What generated content is made of."""

from typing import Any, NamedTuple


class Item(NamedTuple):
    """One item of a release."""

    site: str
    """Empty for what belongs to all sites."""
    kind: str
    key: str
    body: Any
