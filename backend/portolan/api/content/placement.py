"""Find items that editors placed on a page."""

from collections.abc import Sequence
from typing import Final

from ...schemas.problem import FieldProblem
from ..problems import ProblemKind
from ..release_content import EntrySnapshot, ReleaseContent

UNKNOWN_PAGE_KEY: Final = ProblemKind(
    404,
    "unknown-page-key",
    "No page of the site has this page key.",
    "No page of this site has the key {key!r}. A key is the page's path without the leading slash, home for /.",
    {"key": "no/such/page"},
)


MOVED_PAGE_KEY: Final = ProblemKind(
    404,
    "moved-page-key",
    "The page with this page key has another one now, which is the message in `errors`.",
    "The page with the key {key!r} now has the key {now!r}. Use this one.",
    {"key": "who-we-are", "now": "about-us"},
)


def entries_on_page(content: ReleaseContent, kind: str, page_key: str) -> Sequence[EntrySnapshot]:
    """Return items of a kind on the page with this key. Raise ApiProblem if the site has no such page."""
    page = content.find_page(page_key)
    if page is None:
        now = content.find_moved_page(page_key)
        if now is None:
            raise UNKNOWN_PAGE_KEY.because(key=page_key)
        moved = MOVED_PAGE_KEY.because(key=page_key, now=now)
        moved.errors = [FieldProblem(field="header.Page-Key", message=now)]
        raise moved
    return [entry for entry in content.entries(kind) if page in entry.pages]
