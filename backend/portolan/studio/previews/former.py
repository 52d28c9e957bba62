"""Find redirects for URLs without a page in a preview: editors' redirects and former addresses."""

import orjson

from ...domain.redirects import GONE, PERMANENT, Redirect, RedirectTable
from ...publisher.redirects import REDIRECT, answer_of
from .addresses import preview_addresses
from .overlay import Overlay


def find_former(overlay: Overlay, site: str, path: str) -> Redirect | None:
    """Return the redirect at a path without a page, or ``None``."""
    reader, snapshot, addresses = overlay.reader(), overlay.snapshot(), preview_addresses()
    default = addresses.registry.default_site.key

    def find_page(key: str) -> str | None:
        there = {page.site: page.path for page in snapshot.translations([key])}
        if site in there:
            return there[site]
        return addresses.url(default, there[default]) if default in there else None

    rows = reader.collection(overlay.release_view.release, site, REDIRECT)
    rules = {item.key: answer_of(orjson.loads(item.body), find_page) for item in rows}
    if found := RedirectTable(rules).find(path, lambda own: True):
        return found
    last = reader.former_address(site, path)
    if last is None:
        return None
    target = next((page.path for page in snapshot.translations([last.key]) if page.site == site), None)
    return Redirect(PERMANENT, target) if target else Redirect(GONE, "")
