"""The texts that editors have typed into blocks, for the search: what they choose from a list is not what they look for."""

from collections.abc import Iterator
from typing import Any

from wagtail import blocks


def typed_texts(block: blocks.Block, value: Any) -> Iterator[str]:
    """In the order of the form."""
    if isinstance(block, blocks.StreamBlock):
        for child in value:
            yield from typed_texts(child.block, child.value)
    elif isinstance(block, blocks.ListBlock):
        for child in value:
            yield from typed_texts(block.child_block, child)
    elif isinstance(block, blocks.StructBlock):
        for name, child in block.child_blocks.items():
            yield from typed_texts(child, value.get(name))
    elif value not in (None, "") and not isinstance(block, blocks.ChoiceBlock | blocks.MultipleChoiceBlock):
        yield from block.get_searchable_content(value)
