"""Insight videos and shorts (spec §3 Video card)."""

from .base import Shape
from .media import Picture


class Video(Shape):
    id: str
    title: str
    cover: Picture
    """``cover.url`` is one file for who wants no source set."""
    video_id: str
    """The video's id at the provider."""


class VideoList(Shape):
    items: list[Video]
    """In the editors' order."""
