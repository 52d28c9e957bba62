"""Insight videos and shorts (spec §7: content/insights-video, content/insights-shorts)."""

from datetime import date as Date
from typing import Any, Final

from django.http import HttpRequest
from ninja import Router

from ...schemas.video import Video, VideoList
from ..examples import PICTURE
from ..operations import describe
from ..release_content import read_content

router = Router(tags=["Insights"], by_alias=True)

_VIDEO: Final = Video(
    id="mvp-in-twelve-weeks",
    title="An MVP in twelve weeks",
    cover=PICTURE,
    video_id="M7lc1UVf-VE",
    published=Date(2026, 3, 12),
)
_SHORT: Final = Video(
    id="code-review", title="What a review is for", cover=PICTURE, video_id="aqz-KE-bpKQ", published=Date(2026, 4, 2)
)


@router.get("/insights-video", **describe("list_insight_videos", "Insight videos", VideoList(items=[_VIDEO])))
def list_insight_videos(request: HttpRequest) -> dict[str, Any]:
    """In the editors' order. `cover.url` is a single file for clients that need no source set."""
    return {"items": read_content(request).items("video")}


@router.get("/insights-shorts", **describe("list_insight_shorts", "Insight shorts", VideoList(items=[_SHORT])))
def list_insight_shorts(request: HttpRequest) -> dict[str, Any]:
    """Upright videos of up to a minute, in the editors' order."""
    return {"items": read_content(request).items("short")}
