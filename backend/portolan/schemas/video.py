"""Insight videos and shorts (spec §3 Video card)."""

from datetime import date as Date

from .base import Schema
from .media import DocumentFile, Picture


class Video(Schema):
    id: str
    title: str
    cover: Picture
    """``cover.url`` is one file for clients that need no source set."""
    video_id: str
    """The video's ID at the provider; empty for a video file of our own."""
    film: DocumentFile | None = None
    """A video file of our own that browsers play."""
    published: Date | None = None
    """The date of publication; None if it is unknown, and then search engines get no data about the video."""


class VideoList(Schema):
    items: list[Video]
    """In the editors' order."""
