"""Start a new page with the empty blocks that its page type requires."""

from typing import Any
from uuid import uuid4

from wagtail.models import Page
from wagtail.signals import init_new_page

from .pages.base import SitePage


def connect() -> None:
    init_new_page.connect(begin)


def begin(sender: object, page: Page, **kwargs: Any) -> None:
    if isinstance(page, SitePage) and not page.body:
        stream = page.body.stream_block
        known = {type: stream.child_blocks[type] for type in page.begins_with if type in stream.child_blocks}
        page.body = stream.to_python(
            [
                {"type": type, "value": block.get_prep_value(block.get_default()), "id": str(uuid4())}
                for type, block in known.items()
            ]
        )
