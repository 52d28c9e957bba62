"""Stream fields whose list of blocks stays out of migrations: adding a block needs none."""

from typing import Any, Self

from wagtail import blocks
from wagtail.fields import StreamField

from .blocks import BLOCKS


class BlocksField(StreamField):
    """A StreamField that migrations know as a plain JSON column."""

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
    """The blocks of a page, in the order of ``BLOCKS``."""

    def __init__(self, local_blocks: Any = None, **kwargs: Any) -> None:
        super().__init__([(block.type_name(), block()) for block in BLOCKS], **kwargs)


class BodyField(BlocksField):
    """The body of a page."""

    def __init__(self, block_types: Any = None, **kwargs: Any) -> None:
        super().__init__(BodyStream, **{"verbose_name": "blocks", **kwargs})
