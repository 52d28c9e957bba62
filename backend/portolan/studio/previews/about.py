"""What the bar of a preview says, and what one can comment on."""

from datetime import UTC

import orjson
from django.conf import settings
from django.utils.translation import gettext as _

from ...content.errors import FreezeError
from ...publisher.problem import UsageError
from ...releases.index import Page
from .addresses import preview_addresses
from .models import Preview
from .overlay import Overlay
from .pages import Block, draw_at
from .words import say_shown


def describe(preview: Preview, overlay: Overlay, site: str, page: Page | None) -> bytes:
    """JSON, for `static/preview/bar.js`."""
    blocks = _blocks(overlay, page) if preview.is_link else ()
    return orjson.dumps(
        {
            "shown": say_shown(preview.kind, preview.subject),
            "note": preview.note,
            "site": settings.SITES_REGISTRY.sites[site].name,
            "until": preview.ends_at.astimezone(UTC).isoformat(),
            "mayComment": preview.is_link,
            "problems": len(overlay.problems),
            "blocks": [
                {"id": block.id, "title": block.title, "label": say_block(block)} for block in blocks if block.id
            ],
        }
    )


def say_block(block: Block) -> str:
    kind = block.type.replace("_", " ").capitalize()
    return _("{kind}: {title}").format(kind=kind, title=block.title) if block.title else kind


def _blocks(overlay: Overlay, page: Page | None) -> tuple[Block, ...]:
    if page is None:
        return ()
    try:
        return draw_at(overlay, page, preview_addresses()).blocks
    except (FreezeError, UsageError):
        return ()
