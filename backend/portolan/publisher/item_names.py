"""Names of items in the output of commands."""

from typing import Final

from ..releases.diff import name_of
from ..releases.reader import Item, ItemId, ReleaseReader
from .depends import PLACEHOLDER
from .reason_texts import say_kind, say_kinds
from .snapshot import page_of

_ONE_OF_A_SITE: Final = {
    "menu": "header menu",
    "footer": "footer",
    "words": "interface words",
    "figures": "the company's figures",
}


class ItemNames:
    """Names items as in the newest release, and deleted items by their last state."""

    def __init__(self, site: str, reader: ReleaseReader) -> None:
        """``site``: the site whose items are named without their site."""
        self._site = site
        self._reader = reader
        self._newest = reader.latest() or 0

    def name(self, id: ItemId) -> str:
        """Return ``picture harbour.svg`` or ``“Contact” (/contact-us)``.

        Items of other sites get their site.
        """
        where = f" on {id.site}" if id.site not in ("", self._site) else ""
        return self._name(id) + where

    def _name(self, id: ItemId) -> str:
        if id.kind == PLACEHOLDER:
            return f"{{{id.key}}}"
        if not id.key:
            return f"any of its {say_kinds([id.kind])}"
        if id.kind in _ONE_OF_A_SITE:
            return _ONE_OF_A_SITE[id.kind]
        if id.kind == "page":
            pages = self._reader.translations(self._newest, [id.key])
            page = next((page for page in pages if page.site == id.site), None) or page_of(self._read(id))
            return f"“{page.title}” ({page.path})" if page else f"page {id.key}"
        item = self._read(id)
        return f"{say_kind(id.kind)} {name_of(item) if item else id.key}"

    def _read(self, id: ItemId) -> Item | None:
        changed = self._reader.last_change(self._newest, id)
        if changed is None:
            return None
        return self._reader.item(changed, *id) or self._reader.item(changed - 1, *id)
