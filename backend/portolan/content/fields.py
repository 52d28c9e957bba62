"""Stream fields whose list of blocks stays out of migrations: adding a block needs none."""

from typing import Any, Self

from django.core.exceptions import ValidationError
from wagtail import blocks
from wagtail.blocks.stream_block import StreamBlockValidationError
from wagtail.blocks.struct_block import StructBlockValidationError
from wagtail.fields import StreamField

from .blocks import BLOCKS


class BlocksField(StreamField):
    """A StreamField that is a plain JSON column in migrations."""

    def deconstruct(self) -> tuple[str, str, list[Any], dict[str, Any]]:
        name, path, _, kwargs = super().deconstruct()
        del kwargs["block_lookup"]
        return name, path, [[]], kwargs

    def clone(self) -> Self:
        _, _, _, kwargs = self.deconstruct()
        return self.__class__(self.block_types_arg, **kwargs, **self.block_opts_given)

    @property
    def block_opts_given(self) -> dict[str, Any]:
        return {name: value for name, value in self.block_opts.items() if name != "required"}


class BodyStream(blocks.StreamBlock):
    """The blocks of a page, in the order of ``BLOCKS``. One hero at most: it holds the page's one h1."""

    def __init__(self, local_blocks: Any = None, **kwargs: Any) -> None:
        super().__init__([(block.type_name(), block()) for block in BLOCKS], **kwargs)

    class Meta:
        block_counts = {"hero": {"max_num": 1}}

    def clean(self, value: blocks.StreamValue) -> blocks.StreamValue:
        cleaned = super().clean(value)
        seen: dict[str, int] = {}
        errors: dict[int, ValidationError] = {}
        for index, child in enumerate(cleaned):
            anchor = child.value.get("anchor")
            if anchor and anchor in seen:
                twice = f"Block {seen[anchor] + 1} has this anchor already, and a link can lead to one only."
                errors[index] = StructBlockValidationError(block_errors={"anchor": ValidationError(twice)})
            elif anchor:
                seen[anchor] = index
        if errors:
            raise StreamBlockValidationError(block_errors=errors)
        return cleaned


class BodyField(BlocksField):
    """The body of a page."""

    def __init__(self, block_types: Any = None, **kwargs: Any) -> None:
        super().__init__(BodyStream, **{"verbose_name": "blocks", **kwargs})
