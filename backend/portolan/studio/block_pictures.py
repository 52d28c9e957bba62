"""Show images of blocks in the list of block types.

``make block-pictures`` creates them from the blocks' examples. Plugins may add their own as
``static/studio/blocks/TYPE.webp``.
"""

from typing import Any, Final

from django.contrib.staticfiles import finders

from ..content.blocks.base import SiteBlock

FOLDER: Final = "studio/blocks"


def connect() -> None:
    SiteBlock.is_previewable = property(_has_picture)
    SiteBlock.get_preview_template = lambda self, value, context=None: "studio/block_picture.html"
    SiteBlock.get_preview_context = _describe


def picture_of(block: SiteBlock) -> str:
    return f"{FOLDER}/{block.type_name()}.webp"


def _has_picture(block: SiteBlock) -> bool:
    return finders.find(picture_of(block)) is not None


def _describe(block: SiteBlock, value: Any, parent_context: dict[str, Any] | None = None) -> dict[str, Any]:
    return {**(parent_context or {}), "picture": picture_of(block)}
