"""Logos: a row of client or partner marks."""

from typing import Literal

from ...shapes.base import BlockData, Shape
from ...shapes.media import Picture


class Logo(Shape):
    name: str
    picture: Picture


class LogosData(BlockData):
    type: Literal["logos"] = "logos"
    title: str = ""
    logos: list[Logo]
    """2..16."""
