"""Names of frozen items, as readers use them."""

from typing import Final, NamedTuple

ALL_SITES: Final = ""


class ItemId(NamedTuple):
    site: str
    """Empty for items that belong to all sites."""
    kind: str
    key: str
