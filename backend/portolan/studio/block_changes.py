"""Compare two states of an item by block and field, in the words of editors.

In texts, added and removed words are marked.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from html import unescape
from itertools import chain
from typing import Any, Final, NamedTuple

from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.text import capfirst
from django.utils.translation import get_language, gettext
from pydantic.alias_generators import to_camel
from wagtail.admin.compare import diff_text
from wagtail.documents.models import Document

from ..content.fields import INSTANCES
from ..content.items import DOCUMENT, PAGE, PICTURE
from ..content.pictures import SiteImage
from ..content.quoted import quoted
from ..content.rate_card import name_rate
from ..domain.references import find_references
from ..releases.diff import FieldChange, diff_bodies, say_field
from .interface_words.defaults import name_word
from .problem_names import StudioNames

_MOST_FIELDS: Final = 12
"""The most fields of one block to show."""
_LONGEST: Final = 4000
"""The most characters of one value."""
_UNTOLD: Final = frozenset({"changed", "id", "type", "parent", "$items", "$count"})
_ENDS: Final = re.compile(r"(?i)</(?:p|h[1-6]|li|tr|blockquote)>|<br ?/?>")
_LINK: Final = re.compile(r'(?i)<a (?:data-page|href)="([^"]*)"[^>]*>(.*?)</a>')
_TAG: Final = re.compile(r"<[^<>]*>")
_RATES: Final = "value.rates."
_WORDS: Final = "words"
"""Field of the changed texts of the interface, in the body of their item."""
_RATE_FIELDS: Final[Mapping[str, Callable[[], str]]] = {
    "low": lambda: gettext("from"),
    "high": lambda: gettext("to"),
    "name": lambda: gettext("Role"),
}
_FILES: Final[Mapping[str, Any]] = {PICTURE: SiteImage, DOCUMENT: Document}
_ORDER: Final = " (order)"
_STEP: Final = " › "
_LABELS: Final[Mapping[tuple[str, str], str]] = {
    (type, to_camel(name)): capfirst(child.label)
    for type, block in INSTANCES.items()
    for name, child in block.child_blocks.items()
    if child.label
}
"""Labels of block fields, by the block's type and the field's name in a body."""


class FieldRow(NamedTuple):
    field: str
    before: SafeString
    """Empty if there was no value."""
    after: SafeString


class BlockRow(NamedTuple):
    title: str
    """Label and heading of the block; empty outside of blocks."""
    how: str
    """``New`` or ``Removed``, translated; empty if it changed."""
    fields: tuple[FieldRow, ...]
    more: int
    """Number of further fields."""


class _Whole:
    """A reference or a rich text, compared as one value."""

    def __init__(self, value: Mapping[str, Any]) -> None:
        self.value = value

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Whole) and self.value == other.value

    __hash__ = None  # type: ignore[assignment]


class _Said(str):
    """A field name that is ready to show."""


class _Group(NamedTuple):
    block: Mapping[str, Any] | None
    how: str
    changes: list[FieldChange]


def name_fields(before: Any, after: Any) -> list[str]:
    """Return the labels of changed blocks, and of changed fields outside of blocks."""
    names = StudioNames()
    groups = _group(before, after)
    found = [names.block(group.block["type"]) if group.block else _say_field(group.changes[0]) for group in groups]
    return list(dict.fromkeys(found))


class Comparison:
    """Describes differences. It caches names, so use it for one request only."""

    def __init__(self) -> None:
        self._names = StudioNames()
        self._files: dict[tuple[str, str], str] = {}

    def know(self, bodies: Iterable[Any]) -> None:
        """Look up all names in the bodies at once."""
        named: dict[str, set[str]] = {PAGE: set(), **{kind: set() for kind in _FILES}}
        for reference in chain.from_iterable(map(find_references, bodies)):
            if reference.kind in named:
                named[reference.kind].add(reference.key)
        self._names.know_pages(named[PAGE])
        for kind in _FILES:
            self._know_files(kind, named[kind])

    def compare(self, before: Any, after: Any) -> tuple[BlockRow, ...]:
        """Compare two bodies of an item. Pass None for an item that is new or removed."""
        return tuple(self._say_block(group) for group in _group(before, after))

    def _say_block(self, group: _Group) -> BlockRow:
        type = str(group.block["type"]) if group.block else ""
        told = [row for change in group.changes for row in self._say_change(change, type)]
        return BlockRow(
            self._title(group.block), group.how, tuple(told[:_MOST_FIELDS]), max(0, len(told) - _MOST_FIELDS)
        )

    def _title(self, block: Mapping[str, Any] | None) -> str:
        if block is None:
            return ""
        label = self._names.block(str(block.get("type", "")))
        heading = next((self.say(block[name]) for name in ("title", "heading", "name") if block.get(name)), "")
        return f"{label}: {_cut(heading, 60)}" if heading else label

    def _say_change(self, change: FieldChange, type: str) -> Iterator[FieldRow]:
        """Yield the rows of a change; an added or removed object has one row for each part."""
        sides = change.before, change.after
        whole = next((side for side in sides if _is_composed(side)), None)
        if whole is not None and any(side is None for side in sides) and not isinstance(change.field, _Said):
            for part, value in whole.items():
                if part not in _UNTOLD and self.say(value):
                    field = f"{change.field}.{part}".lstrip(".")
                    yield from self._say_change(
                        FieldChange(field, *((value, None) if change.after is None else (None, value))), type
                    )
            return
        before, after = map(self.say, sides)
        if before == after and (before or after):
            before, after = gettext("{before} (formatting changed)").format(before=before), after
        if before or after:
            yield FieldRow(_say_field(change, type), *_mark_words(_cut(before, _LONGEST), _cut(after, _LONGEST)))

    def say(self, value: Any) -> str:
        """Return a value of a body as text."""
        match value:
            case _Whole():
                return self.say(value.value)
            case None | "" | []:
                return ""
            case bool():
                return gettext("Yes") if value else gettext("No")
            case str():
                return value
            case int() | float():
                return f"{value:g}" if isinstance(value, float) else str(value)
            case list():
                return ("\n" if any(_is_composed(each) for each in value) else ", ").join(
                    filter(None, map(self.say, value))
                )
            case {"$html": html}:
                return self._say_html(html)
            case {"$verbatim": text}:
                return str(text)
            case {"$page": key}:
                return self._say_link(value, quoted(self._names.page(str(key)) or gettext("a page that was deleted")))
            case {"$url": url}:
                return self._say_link(value, str(url))
            case {"$picture": key}:
                alt = self.say(value.get("alt"))
                return gettext("Image “{title}”").format(title=self._file(PICTURE, str(key))) + (
                    f" ({alt})" if alt else ""
                )
            case {"$document": key}:
                return gettext("Document “{title}”").format(title=self._file(DOCUMENT, str(key)))
            case {"$items": kind} | {"$count": kind}:
                return gettext("list of {kind}").format(kind=str(kind).replace("_", " "))
            case dict():
                parts = ((name, self.say(part)) for name, part in value.items() if name not in _UNTOLD)
                return ", ".join(
                    said if name in ("title", "name", "text") else f"{_words(name)}: {said}"
                    for name, said in parts
                    if said
                )
            case _:
                return str(value)

    def _say_link(self, link: Mapping[str, Any], target: str) -> str:
        anchor = f"#{link['anchor']}" if link.get("anchor") else ""
        title = self.say(link.get("title"))
        return f"{title} → {target}{anchor}" if title else f"→ {target}{anchor}"

    def _say_html(self, html: str) -> str:
        def name_target(found: re.Match[str]) -> str:
            title = self._names.page(found[1]) if "/" not in found[1] else None
            return f"{found[2]} (→ {title or found[1]})"

        lines = _TAG.sub("", _ENDS.sub("\n", _LINK.sub(name_target, html)))
        return "\n".join(filter(None, (" ".join(unescape(line).split()) for line in lines.split("\n"))))

    def _file(self, kind: str, key: str) -> str:
        self._know_files(kind, [key])
        return self._files[kind, key]

    def _know_files(self, kind: str, keys: Iterable[str]) -> None:
        if wanted := [key for key in keys if (kind, key) not in self._files]:
            rows = _FILES[kind].objects.filter(pk__in=wanted).values_list("pk", "title")
            titles = {str(pk): title for pk, title in rows}
            self._files |= {(kind, key): str(titles.get(key) or gettext("deleted since")) for key in wanted}


def _group(before: Any, after: Any) -> list[_Group]:
    """Group differences by block: fields outside of blocks first, then blocks in their order."""
    blocks = _blocks(before) | _blocks(after)
    rates = _rates(before) | _rates(after)
    found: dict[str, _Group] = {}
    for change in _differences(before, after):
        part, _, rest = change.field.partition(".")
        id, _, field = rest.partition(".")
        if part != "blocks" or id not in blocks:
            found.setdefault("", _Group(None, "", [])).changes.append(_in_words(change, blocks, rates))
            continue
        how = "" if field else gettext("New") if change.before is None else gettext("Removed")
        found.setdefault(id, _Group(blocks[id], how, [])).changes.append(change._replace(field=field))
    order = ["", *_blocks(after), *_blocks(before)]
    return [found[id] for id in sorted(found, key=order.index)]


def _differences(before: Any, after: Any) -> Iterable[FieldChange]:
    for change in diff_bodies({} if before is None else _wrap(before), {} if after is None else _wrap(after)):
        if change.field == "blocks":  # the whole page is new or removed
            for block in change.after or change.before or ():
                sides = (block, None) if change.after is None else (None, block)
                yield FieldChange(f"blocks.{block['id']}", *sides)
        elif change.field.partition(".")[0] not in ("changed", "parent", "anchors"):
            yield change


def _wrap(value: Any) -> Any:
    if isinstance(value, dict):
        if any(name.startswith("$") for name in value):
            return _Whole(value)
        return {name: _wrap(part) for name, part in value.items()}
    return [_wrap(part) for part in value] if isinstance(value, list) else value


def _in_words(change: FieldChange, blocks: Mapping[str, Any], rates: Mapping[str, str]) -> FieldChange:
    """Name blocks in a changed order, and rates by role and seniority."""
    if change.field.startswith(_RATES) and (rate := rates.get(change.field.removeprefix(_RATES).partition(".")[0])):
        field = change.field.removeprefix(_RATES).partition(".")[2]
        said = _STEP.join([gettext("Rates"), rate, *([_RATE_FIELDS[field]()] if field in _RATE_FIELDS else [])])
        return FieldChange(_Said(said), *(_say_price(side) for side in change[1:]))
    if change.field != f"blocks{_ORDER}":
        return change
    names = StudioNames()
    sides = ([names.block(blocks[id]["type"]) for id in ids if id in blocks] for ids in change[1:])
    return FieldChange(gettext("order of the blocks"), *sides)


def _rates(body: Any) -> dict[str, str]:
    """Return the names of a card's rates, by their names in ``diff_bodies``."""
    value = (body or {}).get("value")
    rows = value.get("rates") if isinstance(value, dict) else None
    return {f"{row['role']} {row['seniority']}": name_rate(row) for row in rows or () if "low" in row}


def _say_price(value: Any) -> Any:
    return f"{value['low']}–{value['high']}" if isinstance(value, dict) and "low" in value else value


def _blocks(body: Any) -> dict[str, Mapping[str, Any]]:
    return {str(block["id"]): block for block in (body or {}).get("blocks", ()) if block.get("id")}


def _say_field(change: FieldChange, type: str = "") -> str:
    if isinstance(change.field, _Said):
        return change.field
    name, _dot, rest = change.field.removesuffix(_ORDER).partition(".")
    if name == _WORDS and rest:
        return name_word(*rest.split("."))
    if label := str(_LABELS.get((type, name), "")):
        return _STEP.join([label, *_steps(say_field(rest).lower())])
    said = say_field(change.field.removesuffix(_ORDER))
    return _STEP.join(_steps(said)) or gettext("Value")


def _steps(path: str) -> list[str]:
    """Return the labels of a field's path, or its names if no form has a label."""
    return [_say_name(name) for name in path.split(_STEP) if name]


def _say_name(name: str) -> str:
    known = (name, name.capitalize(), name.lower())
    return next((said for each in known if (said := gettext(each)) != each), name)


def within_sentence(name: str) -> str:
    """Lower-case a name in English; other languages may need the capital."""
    return name.lower() if (get_language() or "en").startswith("en") else name


def _words(name: str) -> str:
    return within_sentence(_say_name(say_field(name)))


def _is_composed(value: Any) -> bool:
    return isinstance(value, dict) and not any(name.startswith("$") for name in value)


def _mark_words(before: str, after: str) -> tuple[SafeString, SafeString]:
    """Return both texts, with removed words marked in the first and added ones in the second."""
    if not before or not after:
        return tuple(
            format_html(f"<{tag}>{{}}</{tag}>", text) if text else SafeString()
            for tag, text in (("del", before), ("ins", after))
        )  # type: ignore[return-value]
    changes = diff_text(before, after).changes
    sides = (("deletion", "del"), ("addition", "ins"))
    return tuple(  # type: ignore[return-value]
        format_html_join(
            "",
            "{}",
            (
                (format_html(f"<{tag}>{{}}</{tag}>", text) if kind == own else text,)
                for kind, text in changes
                if kind in ("equal", own)
            ),
        )
        for own, tag in sides
    )


def _cut(text: str, most: int) -> str:
    return text if len(text) <= most else f"{text[: most - 1]}…"
