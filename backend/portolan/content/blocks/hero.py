"""Hero: the page's opening, with its one h1."""

from typing import Literal

from ...shapes.base import BlockData, Tone
from ...shapes.link import Link
from ...shapes.media import Picture


class HeroData(BlockData):
    type: Literal["hero"] = "hero"
    tone: Tone = "navy"
    eyebrow: str = ""
    title: str
    text: str = ""
    actions: list[Link] = []
    """0..2; the first is the one thing to do next."""
    picture: Picture | None = None
