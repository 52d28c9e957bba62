"""Read the content of a page that its form can change, for comparison.

Values are normalised: a text that passes through a form unchanged stays equal.
"""

import hashlib
import json
import re
from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from typing import Any, Final, NamedTuple, Protocol

from wagtail import blocks
from wagtail.blocks import StreamBlock

from ...content.snapshot import list_items
from ...domain.merging import BODY, Merge, Path, Version

_TYPE: Final = "type"
_KEY: Final = re.compile(r' data-block-key="[^"]*"')
"""Key of a paragraph. The rich text editor creates a new one if it is missing."""


class Stream(Protocol):
    """Knows the blocks of all types of a page, or of a menu (``lists``)."""

    @property
    def child_blocks(self) -> Mapping[str, blocks.Block]: ...


class Content(NamedTuple):
    """The content of a page's revision that its form shows."""

    fields: Mapping[str, Any]
    blocks: Mapping[str, Mapping[str, Any]]
    """Raw blocks by ID, in order."""

    def version(self, stream: Stream | None) -> Version:
        return Version(
            {name: _digest(_plain(value)) for name, value in self.fields.items()},
            {id: _digests(block, stream) for id, block in self.blocks.items()} if stream else {},
        )

    def with_texts(self, texts: Mapping[Path, str]) -> "Content":
        """Return the content with other texts of fields, and of fields of blocks."""
        fields, blocks = dict(self.fields), dict(self.blocks)
        for path, text in texts.items():
            if len(path) == 1:
                fields[path[0]] = text
            else:
                _, id, name = path
                blocks[id] = {**blocks[id], "value": {**blocks[id]["value"], name: text}}
        return Content(fields, blocks)


def read_content(stored: Mapping[str, Any], names: Iterable[str]) -> Content:
    """Read ``stored``, the content of a revision. ``names`` are the form's fields."""
    raw = json.loads(stored.get(BODY) or "[]")
    fields = {name: stored[name] for name in names if name in stored and name != BODY}
    return Content(fields, {block.get("id") or f"#{place}": block for place, block in enumerate(raw)})


def put_together(found: Merge, theirs: Content, mine: Content) -> list[dict[str, Any]]:
    """Return the raw blocks of a merged body."""
    sides = {"mine": mine.blocks, "theirs": theirs.blocks}
    body = []
    for id, fields in found.blocks.items():
        own = mine.blocks.get(id) or theirs.blocks[id]
        parts = {name: sides[side][id]["value"] for name, side in fields.items() if name not in ("", "type")}
        value = {name: raw[name] for name, raw in parts.items() if name in raw}
        body.append({**own, "value": value if parts else sides[fields[""]][id]["value"]})
    return body


def _digests(block: Mapping[str, Any], stream: Stream) -> dict[str, str]:
    child = stream.child_blocks.get(block[_TYPE])
    if not isinstance(child, blocks.StructBlock):
        return {_TYPE: block[_TYPE], "": _digest(block["value"])}
    value = block["value"]
    parts = {name: _digest(_normal(part, _value(part, value, name))) for name, part in child.child_blocks.items()}
    return {_TYPE: block[_TYPE], **parts}


def _value(part: blocks.Block, value: Mapping[str, Any], name: str) -> Any:
    return value[name] if name in value else part.get_prep_value(part.get_default())


def _normal(block: blocks.Block, raw: Any) -> Any:
    if isinstance(block, blocks.StructBlock):
        return {name: _normal(part, _value(part, raw or {}, name)) for name, part in block.child_blocks.items()}
    if isinstance(block, blocks.ListBlock):
        return [_normal(block.child_block, item) for item in list_items(raw)]
    if isinstance(block, StreamBlock):
        return [[child[_TYPE], _normal(block.child_blocks[child[_TYPE]], child["value"])] for child in raw or ()]
    if isinstance(block, blocks.RichTextBlock):
        return _through_form(block, raw or "")
    return _plain(raw)


def _through_form(block: blocks.RichTextBlock, html: str) -> str:
    """Return rich text as a form would return it."""
    widget = block.field.widget
    return _converted(widget.converter.to_database_format, widget.converter.from_database_format, html) if html else ""


@lru_cache(maxsize=512)
def _converted(to_stored: Callable[[str], str], to_form: Callable[[str], str], html: str) -> str:
    return _KEY.sub("", to_stored(to_form(html)))


def _plain(value: Any) -> Any:
    """Normalise a value as forms do: trim texts, unify line ends. Rows are compared without their IDs."""
    match value:
        case str():
            return value.replace("\r\n", "\n").strip()
        case None | False:
            return ""
        case dict():
            return {name: _plain(part) for name, part in value.items() if name != "pk"}
        case list() | tuple():
            return [_plain(each) for each in value]
        case _:
            return value


def _digest(value: Any) -> str:
    return hashlib.sha256(json.dumps(value, sort_keys=True, default=str).encode()).hexdigest()[:16]
