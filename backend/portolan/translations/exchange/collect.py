"""Read the texts that a translator needs from the pages of a site and their sources."""

from collections.abc import Collection, Iterator
from typing import Literal

from ..segments import match, read_segments
from .pages import Pair, address_of, draft_of, find_ids, find_roots, languages_of, load_pairs
from .units import PageUnits, Unit

Only = Literal["all", "missing", "outdated"]


class Collected:
    """The texts to export. ``copies`` and ``unselected`` are complete after ``pages`` is read."""

    def __init__(
        self, site: str, addresses: Collection[str] = (), change_set: int | None = None, only: Only = "all"
    ) -> None:
        """Raise NothingToDo if the site, a page or the change set does not exist."""
        self.languages = languages_of(site)
        self.source, self.site = find_roots(site)
        self.copies: list[str] = []
        """Paths of pages that the site copies live, so that they have no texts of their own."""
        self._only = only
        self._is_draft = change_set is not None
        self._ids = find_ids(self.source, addresses, change_set)

    def pages(self) -> Iterator[PageUnits]:
        """Yield the pages with texts to translate, in the order of the source's tree."""
        for pair in load_pairs(self._ids, self.site):
            if pair.page and pair.page.alias_of_id:
                self.copies.append(address_of(pair.source, self.source))
            elif units := self._units(pair):
                key, address = pair.source.translation_key, address_of(pair.source, self.source)
                yield PageUnits(key, address, pair.source.title, units)

    def _units(self, pair: Pair) -> list[Unit]:
        is_read_as_draft = self._is_draft or not pair.source.live
        source = read_segments(draft_of(pair.source) if is_read_as_draft else pair.source)
        own = read_segments(draft_of(pair.page), with_empty=True) if pair.page else []
        texts = {segment.path: segment.text for segment in own}
        pairs = match(source, own)
        units = []
        for segment in source:
            target = texts.get(pairs.get(segment.path, ""), "")
            units.append(Unit(segment.path, segment.kind, segment.text, target, segment.label, bool(target)))
        return units
