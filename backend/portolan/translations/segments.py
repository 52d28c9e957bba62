"""Read the texts of a page as segments with stable paths, and set them.

A path names a field, or the IDs of blocks and list items and the fields in them: ``title``,
``body/4f0c…/actions/91d2…/title``. It stays the same if blocks are moved. Wagtail copies the IDs of blocks, so a page
that was copied for translation has the paths of its source. ``match`` pairs the segments of other pages.
"""

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from hashlib import sha256
from html import unescape
from typing import Any, Final, Literal, TypeVar

from ..content.blocks.base import VerbatimBlock
from ..content.fields import BlocksField
from ..content.texts import Text, Way, list_texts, set_texts

Kind = Literal["plain", "rich", "verbatim"]
"""``rich`` is Wagtail's stored HTML. Placeholders such as ``{company}`` are literal in ``verbatim``."""

Page = TypeVar("Page")

_TAG: Final = re.compile(r"</?[a-zA-Z][^<>]*>")
_WORD: Final = re.compile(r"\w+(?:['’.,:-]\w+)*")


@dataclass(frozen=True, slots=True)
class Segment:
    path: str
    text: str
    kind: Kind = "plain"
    place: tuple[str, ...] = ()
    """Steps of the path, with the types of blocks in place of their IDs."""
    origin: Text | None = field(default=None, compare=False, repr=False)

    @property
    def label(self) -> str:
        """Return the editors' name of the place: ``Block 3 (Text), Title``."""
        return self.origin.label if self.origin else self.path


class UnknownPaths(KeyError):
    """The page has no place for texts; ``paths`` lists them."""

    def __init__(self, paths: Sequence[str]) -> None:
        super().__init__(*paths)
        self.paths = paths


def read_segments(page: Any, with_empty: bool = False) -> list[Segment]:
    """Return the texts of a page as it is in memory, in the order of its form.

    `with_empty` adds the places that have no text now, which a translation may fill.
    """
    return [segment for segment, _ in _read(page, with_empty)]


def with_segments(page: Page, texts: Mapping[str, str]) -> Page:
    """Set texts by path on the page in memory, and return the page. Raise UnknownPaths before anything is set."""
    ways = {segment.path: way for segment, way in _read(page, with_empty=True)}
    if unknown := [path for path in texts if path not in ways]:
        raise UnknownPaths(unknown)
    set_texts(page, {ways[path]: text for path, text in texts.items()})
    return page


def digest_of(segments: Iterable[Segment]) -> str:
    """Return a SHA-256 in hex of paths and texts. Empty texts and the order of blocks do not change it."""
    texts = {segment.path: segment.text for segment in segments if segment.text}
    return sha256(json.dumps(texts, sort_keys=True).encode()).hexdigest()


def count_words(text: str) -> int:
    """Return the number of words that visitors read, without the tags of rich text."""
    return len(_WORD.findall(unescape(_TAG.sub(" ", text))))


def match(source: Sequence[Segment], translation: Sequence[Segment]) -> dict[str, str]:
    """Return paths of the translation by paths of the source. Blocks without a counterpart are left out.

    Blocks and list items are paired by ID, the others in their order by type. Read both `with_empty`: then each
    block has a place, also one without texts.
    """
    return dict(_match(_tree(source), _tree(translation)))


@dataclass(slots=True)
class _Node:
    kind: str
    segment: Segment | None = None
    children: "dict[str, _Node]" = field(default_factory=dict)


def _tree(segments: Iterable[Segment]) -> _Node:
    root = _Node("")
    for segment in segments:
        steps = segment.path.split("/")
        node = root
        for step, kind in zip(steps, segment.place or steps, strict=True):
            node = node.children.setdefault(step, _Node(kind))
        node.segment = segment
    return root


def _match(source: _Node, translation: _Node) -> Iterator[tuple[str, str]]:
    if source.segment and translation.segment:
        yield source.segment.path, translation.segment.path
    others = translation.children
    same = [step for step, node in source.children.items() if step in others and others[step].kind == node.kind]
    for step in same:
        yield from _match(source.children[step], others[step])
    left = [node for step, node in source.children.items() if step not in same]
    right = [node for step, node in others.items() if step not in same]
    in_order = SequenceMatcher(a=[node.kind for node in left], b=[node.kind for node in right], autojunk=False)
    for first, second, size in in_order.get_matching_blocks():
        for offset in range(size):
            yield from _match(left[first + offset], right[second + offset])


def _read(page: Any, with_empty: bool) -> Iterator[tuple[Segment, Way]]:
    steps = _Steps(page)
    for text in list_texts(page, with_empty):
        path, place = steps.of(text.way)
        yield Segment("/".join(path), text.value, _kind(text), place, text), text.way


def _kind(text: Text) -> Kind:
    if text.is_html:
        return "rich"
    return "verbatim" if isinstance(text.block, VerbatimBlock) else "plain"


class _Steps:
    """Replaces the positions in ways to texts by the IDs of blocks, list items and rows."""

    def __init__(self, page: Any) -> None:
        self._page = page
        self._raw: dict[str, list[Any]] = {}
        self._ids: dict[int, list[str]] = {}
        """IDs of the entries of a list, by the identity of the list."""

    def of(self, way: Way) -> tuple[tuple[str, ...], tuple[str, ...]]:
        name = str(way[0])
        if len(way) == 1:
            return (name,), (name,)
        if not isinstance(self._page._meta.get_field(name), BlocksField):
            return self._of_row(name, way)
        value: Any = self._raw.setdefault(name, list(getattr(self._page, name).raw_data))
        path, place = [name], [name]
        steps = iter(way[1:])
        for step in steps:
            if isinstance(step, int):
                entries, value = value, value[step]
                path.append(self._ids_of(entries)[step])
                is_kept = isinstance(value, dict) and "type" in value and "value" in value
                place.append(str(value["type"]) if is_kept else "item")
                if is_kept:
                    value = value[next(steps)]
            else:
                path.append(step)
                place.append(step)
                value = value.get(step)
        return tuple(path), tuple(place)

    def _of_row(self, name: str, way: Way) -> tuple[tuple[str, ...], tuple[str, ...]]:
        keys = self._raw.setdefault(name, [row.pk for row in getattr(self._page, name).all()])
        return (name, f"#{keys.index(way[1])}", str(way[2])), (name, "row", str(way[2]))

    def _ids_of(self, entries: list[Any]) -> list[str]:
        """Return a unique step for each entry: its ID, or its position if it has none of its own."""
        if id(entries) not in self._ids:
            seen: set[str] = set()
            found = []
            for position, entry in enumerate(entries):
                own = str(entry.get("id") or "") if isinstance(entry, dict) else ""
                found.append(own if own and own not in seen else f"#{position}")
                seen.add(own)
            self._ids[id(entries)] = found
        return self._ids[id(entries)]
