"""Insight videos and shorts (spec §3 Video card)."""

from datetime import date as Date

from .base import Schema
from .media import DocumentFile, Picture


class Video(Schema):
    id: str
    title: str
    cover: Picture
    """``cover.url`` is one file for who wants no source set."""
    video_id: str
    """The video's id at the provider; empty where it is a film of our own."""
    film: DocumentFile | None = None
    """A film of our own: one file that browsers play."""
    published: Date | None = None
    """The day it went online; none where nobody has said so, and then search engines are told nothing of it."""


class VideoList(Schema):
    items: list[Video]
    """In the editors' order."""
