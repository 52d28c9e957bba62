"""Name items of releases for readers."""

from typing import Final, NamedTuple

ALL_SITES: Final = ""


class ItemId(NamedTuple):
    site: str
    """Empty for items that belong to all sites."""
    kind: str
    key: str
