"""Define the page content: everything of one route, and the renderer's input."""

from typing import TYPE_CHECKING, Annotated, Union

from pydantic import Field

from ..schemas.base import BlockData
from ..schemas.page import PageHead
from .blocks import BLOCKS

if TYPE_CHECKING:
    AnyBlockData = BlockData
else:
    # Union[...] and not "|": its members are known only when the list of blocks is.
    AnyBlockData = Annotated[Union[tuple(block.Data for block in BLOCKS)], Field(discriminator="type")]  # noqa: UP007


class PageContent(PageHead):
    blocks: list[AnyBlockData]
