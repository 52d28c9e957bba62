"""Texts of a preview's bar, and the blocks to comment on."""

from datetime import UTC

import orjson
from django.conf import settings
from django.utils.text import capfirst
from django.utils.translation import get_language, pgettext
from django.utils.translation import gettext as _

from ...content.errors import SnapshotError
from ...publisher.problem import UsageError
from ...releases.index import Page
from ..problem_names import StudioNames
from .addresses import preview_addresses
from .models import Preview
from .overlay import Overlay
from .pages import Block, draw_at
from .words import say_shown


def describe(preview: Preview, overlay: Overlay, site: str, page: Page | None) -> bytes:
    """Return JSON for `static/preview/bar.js`."""
    blocks = _blocks(overlay, page) if preview.is_link else ()
    return orjson.dumps(
        {
            "language": get_language(),
            "words": _words(),
            "said": _say_what(preview, settings.SITES_REGISTRY.sites[site].name),
            "until": preview.ends_at.astimezone(UTC).isoformat(),
            "mayComment": preview.is_link,
            "problems": len(overlay.problems),
            "blocks": [
                {"id": block.id, "title": block.title, "label": say_block(block)} for block in blocks if block.id
            ],
        }
    )


def _say_what(preview: Preview, site: str) -> str:
    """Describe the preview. The script replaces ``{until}`` with the end in the reader's time zone."""
    shown = say_shown(preview.kind, preview.subject)
    named = f"{preview.note}: {shown}" if preview.note else shown
    return _("Preview: {shown}, {site}. Valid until {until}. Forms send nothing.").format(
        shown=named, site=site, until="{until}"
    )


def _words() -> dict[str, str]:
    return {
        "open": _("Comment"),
        "form": _("Comment on this page"),
        "name": _("Your name"),
        "about": _("Comment on"),
        "point": _("Point to a place on the page"),
        "text": pgettext("what somebody writes", "Comment"),
        "send": _("Send"),
        "close": _("Close"),
        "page": _("The whole page"),
        "failed": _("Your comment was not sent. Your text is still here: try again."),
        "over": _("This preview has ended"),
    }


def say_block(block: Block) -> str:
    kind = capfirst(StudioNames().block(block.type))
    return _("{kind}: {title}").format(kind=kind, title=block.title) if block.title else kind


def _blocks(overlay: Overlay, page: Page | None) -> tuple[Block, ...]:
    if page is None:
        return ()
    try:
        return draw_at(overlay, page, preview_addresses()).blocks
    except (SnapshotError, UsageError):
        return ()
