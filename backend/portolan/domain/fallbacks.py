"""Decide whether a site shows a page of its source that it has not translated."""

from collections.abc import Collection
from typing import NamedTuple


class FallbackRule(NamedTuple):
    """A site's choice for one page, for one page type, or for all pages."""

    page_type: str
    """Empty for all page types."""
    page: str
    """Translation key; empty for all pages of the type."""
    is_shown: bool


def is_shown(rules: Collection[FallbackRule], page_type: str, page: str) -> bool:
    """Return the choice for a page: that for the page, else for its type, else for the site, else False."""
    chosen = {(rule.page_type, rule.page): rule.is_shown for rule in rules}
    return next((chosen[at] for at in (("", page), (page_type, ""), ("", "")) if at in chosen), False)
