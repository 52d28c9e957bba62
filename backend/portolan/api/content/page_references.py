"""List the pages of a page type as references."""

from ...domain.routes import page_key
from ...schemas.navigation import PageReference, PageReferenceList
from ..release_content import ReleaseContent


def list_pages(content: ReleaseContent, kind: str) -> PageReferenceList:
    """Return the pages of all cards of a kind by path. A card's key is its page's translation key."""
    targets = [content.page(entry.key) for entry in content.entries(kind)]
    paths = sorted(target.href for target in targets if target)
    return PageReferenceList(items=[PageReference(key=page_key(path), path=path) for path in paths])
