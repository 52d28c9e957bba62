"""From a fixture's blocks to the raw data of a stream field, as the editor's form would have made it.

Which key means what is read off the blocks themselves: a new block needs nothing here.
"""

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from html import escape
from typing import Any, Final, Protocol
from uuid import NAMESPACE_URL, uuid5

from django.core.exceptions import ValidationError
from wagtail import blocks
from wagtail.documents.blocks import DocumentChooserBlock

from portolan.content.blocks.base import PictureBlock

_PAGE_LINK: Final = re.compile(r'<a page="([^"#]*)(?:#([^"]*))?">')


def clean_stream(field: str, value: blocks.StreamValue) -> None:
    """The checks of the editor's form, which a model's own ``full_clean`` does not include."""
    try:
        value.stream_block.clean(value)
    except ValidationError as error:
        raise ValidationError({field: error}) from error


def plain_stream(value: blocks.StreamValue) -> list[dict[str, Any]]:
    """Raw data with every field, for comparing: data that nobody has looked at yet may lack those with defaults."""
    for child in value:
        _ = child.value
    raw: list[dict[str, Any]] = value.get_prep_value()
    return raw


class Targets(Protocol):
    """What a fixture's names stand for on the site it belongs to."""

    def page(self, path: str) -> int | None: ...
    def original_page(self, path: str) -> int | None: ...
    def picture(self, name: str) -> int | None: ...
    def document(self, name: str) -> int | None: ...


class StreamBuilder:
    """Builds the raw data of one file's streams. ``complain(field, message)`` is told what cannot be built.

    Ids of blocks follow from the file and the place, so that loading the same fixture twice gives the same value.
    """

    def __init__(self, targets: Targets, file: str, complain: Callable[[str, str], None]) -> None:
        self._targets = targets
        self._file = file
        self.complain = complain

    def stream(self, block: blocks.StreamBlock, data: Sequence[Mapping[str, Any]], where: str) -> list[dict[str, Any]]:
        raw = []
        seen: Counter[str] = Counter()
        for index, given in enumerate(self._entries(data, where)):
            place = f"{where}.{index}"
            if not isinstance(given, Mapping):
                self.complain(place, "must be a table")
                continue
            kind = str(given.get("type"))
            child = block.child_blocks.get(kind)
            if child is None:
                self.complain(f"{place}.type", f"{kind!r} is no block; choose one of {', '.join(block.child_blocks)}")
                continue
            fields = {key: value for key, value in given.items() if key != "type"}
            value = self.value(child, fields, place)
            raw.append({"type": kind, "value": value, "id": self._id(f"{where}.{kind}.{seen[kind]}")})
            seen[kind] += 1
        return raw

    def value(self, block: blocks.Block, data: Any, where: str) -> Any:
        if isinstance(block, blocks.PageChooserBlock):
            return self.page(str(data), where)
        if isinstance(block, DocumentChooserBlock):
            return self.document(data, where)
        if isinstance(block, PictureBlock):
            return self.described_picture(data, where)
        if isinstance(block, blocks.StructBlock):
            return self._struct(block, data, where)
        if isinstance(block, blocks.ListBlock):
            return self._list(block, data, where)
        if isinstance(block, blocks.StreamBlock):
            return self.stream(block, data, where)
        if isinstance(block, blocks.RichTextBlock):
            return self.html(data, where)
        return data

    def described_picture(self, data: Mapping[str, Any], where: str) -> dict[str, Any]:
        if not isinstance(data, Mapping):
            self.complain(where, 'must be written as { picture = "…", alt = "…" }')
            return {"image": None, "alt": ""}
        for key in data.keys() - {"picture", "alt"}:
            self.complain(f"{where}.{key}", "is not a known key; a picture has picture, alt")
        return {"image": self.picture(data.get("picture", ""), f"{where}.picture"), "alt": data.get("alt", "")}

    def picture(self, name: Any, where: str) -> int | None:
        """Id of a picture."""
        image = self._targets.picture(str(name))
        if image is None:
            self.complain(where, f"there is no picture {name!r} in pictures.toml; add it there")
        return image

    def document(self, name: Any, where: str) -> int | None:
        """Id of a document."""
        document = self._targets.document(str(name))
        if document is None:
            self.complain(where, f"there is no document {name!r} in documents/; add the file, or correct the name")
        return document

    def page(self, path: str, where: str) -> int | None:
        """Id of the site's page, else of the default site's."""
        page = self._targets.page(path)
        if page is None:
            self.complain(
                where, f"there is no page {path}, neither on this site nor on the default one; correct the path"
            )
        return page

    def original_page(self, path: str, where: str) -> int | None:
        """Id of the default site's page."""
        page = self._targets.original_page(path)
        if page is None:
            self.complain(where, f"the default site has no page {path}; correct the path, or add the page")
        return page

    def html(self, source: str, where: str) -> str:
        """Rich text as Wagtail stores it: links to pages by their ids."""
        if not isinstance(source, str):
            self.complain(where, "must be a text")
            return ""

        def link(match: re.Match[str]) -> str:
            page = self.page(match[1], where)
            anchor = f' anchor="{escape(match[2])}"' if match[2] else ""
            return f'<a linktype="page" id="{page}"{anchor}>'

        return re.sub(r">\s*\n\s*<", "><", _PAGE_LINK.sub(link, source)).strip()

    def _struct(self, block: blocks.StructBlock, data: Mapping[str, Any], where: str) -> dict[str, Any]:
        if not isinstance(data, Mapping):
            self.complain(where, f"must be a table with the keys {', '.join(block.child_blocks)}")
            return {}
        for key in data.keys() - block.child_blocks.keys():
            self.complain(f"{where}.{key}", f"is not a known key; there are {', '.join(block.child_blocks)}")
        return {
            name: self.value(child, data[name], f"{where}.{name}")
            for name, child in block.child_blocks.items()
            if name in data
        }

    def _list(self, block: blocks.ListBlock, data: Sequence[Any], where: str) -> list[dict[str, Any]]:
        return [
            {
                "type": "item",
                "value": self.value(block.child_block, given, f"{where}.{index}"),
                "id": self._id(f"{where}.{index}"),
            }
            for index, given in enumerate(self._entries(data, where))
        ]

    def _entries(self, data: Any, where: str) -> Sequence[Any]:
        if isinstance(data, list):
            return data
        self.complain(where, "must be a list")
        return []

    def _id(self, place: str) -> str:
        return str(uuid5(NAMESPACE_URL, f"{self._file}#{place}"))
