"""Insight videos and shorts (spec §3 Video card)."""

from datetime import date as Date

from .base import Shape
from .media import Picture


class Video(Shape):
    id: str
    title: str
    cover: Picture
    """``cover.url`` is one file for who wants no source set."""
    video_id: str
    """The video's id at the provider."""
    published: Date | None = None
    """The day it went online; none where nobody has said so, and then search engines are told nothing of it."""


class VideoList(Shape):
    items: list[Video]
    """In the editors' order."""
