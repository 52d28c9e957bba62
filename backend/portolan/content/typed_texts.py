"""List the texts that editors typed into blocks, for the search. Choices from lists are left out.

Reads the stored data, because reading the blocks would load every image and page in them.
"""

from collections.abc import Iterator
from typing import Any

from wagtail import blocks

_CHOSEN = (blocks.ChoiceBlock, blocks.MultipleChoiceBlock, blocks.ChooserBlock)


def typed_texts(value: blocks.StreamValue) -> Iterator[str]:
    """Yield the texts in the order of the form."""
    return _texts(value.stream_block, list(value.raw_data))


def _texts(block: blocks.Block, raw: Any) -> Iterator[str]:
    if isinstance(block, blocks.StreamBlock):
        for child in raw or ():
            if child["type"] in block.child_blocks:
                yield from _texts(block.child_blocks[child["type"]], child["value"])
    elif isinstance(block, blocks.ListBlock):
        for child in raw or ():
            is_kept = isinstance(child, dict) and child.get("type") == "item"
            yield from _texts(block.child_block, child["value"] if is_kept else child)
    elif isinstance(block, blocks.StructBlock):
        for name, child_block in block.child_blocks.items():
            yield from _texts(child_block, (raw or {}).get(name))
    elif raw not in (None, "") and not isinstance(block, _CHOSEN):
        yield from block.get_searchable_content(block.to_python(raw))
