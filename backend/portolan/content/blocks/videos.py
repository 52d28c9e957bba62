"""Videos: insight videos or shorts. The page loads a video only when a visitor plays it."""

from collections.abc import Mapping
from typing import Any, Final, Literal

from django.utils.translation import gettext_lazy as _
from wagtail import blocks

from ...schemas.base import BlockData
from ...schemas.video import Video
from ..items import SHORT, VIDEO
from ..snapshot import TranslationKeys
from .base import LineBlock, ParagraphBlock, SiteBlock

VideoKind = Literal["videos", "shorts"]
_KINDS: Final = {"videos": VIDEO, "shorts": SHORT}


class VideosData(BlockData):
    type: Literal["videos"] = "videos"
    title: str
    text: str = ""
    kind: VideoKind
    """Insight videos are in landscape format, shorts in portrait."""
    videos: list[Video]
    """In the editors' order. If it is empty, the block is hidden."""


class VideosBlock(SiteBlock):
    """A list of videos. Editors keep them under Videos in the studio. A change there shows on every site."""

    Data = VideosData
    EXAMPLES = {
        "default": {
            "anchor": "videos",
            "title": "To watch",
            "text": "Ten minutes each, recorded at our own desks.",
            "kind": "videos",
        },
        "shorts": {"tone": "ink", "title": "Under a minute", "kind": "shorts", "limit": 2},
    }

    title = LineBlock(max_length=120)
    text = ParagraphBlock(required=False, max_length=400)
    kind = blocks.ChoiceBlock(
        choices=[("videos", _("Insight videos")), ("shorts", _("Shorts"))], default="videos", label=_("Kind")
    )
    limit = blocks.IntegerBlock(
        required=False, min_value=1, max_value=12, label=_("At most"), help_text=_("Empty: all.")
    )

    class Meta:
        icon = "media"
        label = _("Videos")
        group = _("Lists")

    def snapshot(self, raw: Mapping[str, Any], id: str, pages: TranslationKeys) -> dict[str, Any]:
        frozen = super().snapshot(raw, id, pages)
        limit = frozen.pop("limit")
        return {**frozen, "videos": {"$items": _KINDS[frozen["kind"]], "first": limit}}
