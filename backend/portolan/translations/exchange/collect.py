"""Read the texts that a translator needs from the pages of a site and their sources."""

from collections.abc import Collection, Iterator, Mapping
from operator import attrgetter
from typing import Literal

from ..matrix import Cell, read_rows
from ..models import Translation
from ..segments import match, read_segments
from ..states import State
from .pages import Pair, address_of, draft_of, find_ids, find_roots, languages_of, load_pairs
from .units import PageUnits, Unit

Only = Literal["all", "missing", "outdated"]


class Collected:
    """The texts to export. ``copies`` is complete after ``pages`` is read."""

    def __init__(
        self, site: str, addresses: Collection[str] = (), change_set: int | None = None, only: Only = "all"
    ) -> None:
        """Raise NothingToDo if the site, a page or the change set does not exist."""
        self.languages = languages_of(site)
        self.source, self.site = find_roots(site)
        self.copies: list[str] = []
        """Paths of pages that the site copies live, so that they have no texts of their own."""
        self._is_draft = change_set is not None
        ids = find_ids(self.source, addresses, change_set)
        self._ids = ids if only == "all" and (addresses or change_set is not None) else self._select(ids, only)

    def pages(self) -> Iterator[PageUnits]:
        """Yield the pages with texts to translate, in the order of the source's tree."""
        for pair in load_pairs(self._ids, self.site):
            if pair.page and pair.page.alias_of_id:
                self.copies.append(address_of(pair.source, self.source))
            elif units := self._units(pair):
                key, address = pair.source.translation_key, address_of(pair.source, self.source)
                yield PageUnits(key, address, pair.source.title, units)

    def _select(self, ids: list[int], only: Only) -> list[int]:
        """Leave out pages that are missing on purpose, and those in other states than the wanted one."""
        cells = {row.page_id: row.cells.get(self.site.key) for row in read_rows([self.site.key])}
        return [id for id in ids if _is_wanted(cells.get(id), only)]

    def _units(self, pair: Pair) -> list[Unit]:
        is_read_as_draft = self._is_draft or not pair.source.live
        source = read_segments(draft_of(pair.source) if is_read_as_draft else pair.source, with_empty=True)
        own = read_segments(draft_of(pair.page), with_empty=True) if pair.page else []
        texts = {segment.path: segment.text for segment in own}
        pairs = match(source, own)
        base = self._base(pair)
        units = []
        for segment in filter(attrgetter("text"), source):
            target = texts.get(pairs.get(segment.path, ""), "")
            is_copy = target == segment.text and not (pair.page and pair.page.live)
            is_done = bool(target) and not is_copy and base.get(segment.path) == segment.text
            units.append(Unit(segment.path, segment.kind, segment.text, target, segment.label, is_done))
        return units

    def _base(self, pair: Pair) -> Mapping[str, str]:
        """Return the source's texts that the translation corresponds to; empty if they are unknown."""
        found = Translation.objects.filter(translation_key=pair.source.translation_key, site=self.site.key)
        row = found.select_related("base").first()
        return row.base.segments if row and row.base else {}


def _is_wanted(cell: Cell | None, only: Only) -> bool:
    if only == "all":
        return cell is None or cell.state is not State.EXCLUDED
    if cell is None or cell.state in (State.CURRENT, State.EXCLUDED):
        return False
    return (only == "missing") == (cell.page_id is None)
