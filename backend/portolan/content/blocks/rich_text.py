"""Rich text: headings, paragraphs, lists and links."""

from typing import Literal

from ...shapes.base import BlockData


class RichTextData(BlockData):
    type: Literal["rich_text"] = "rich_text"
    html: str
    """Clean HTML: h2-h4, p, ul, ol, li, a, strong, em, br, blockquote, code, hr."""
