"""Stats: one to four headline numbers with a caption (spec §1, public statistics)."""

from typing import Literal

from ...shapes.base import BlockData, Shape


class Stat(Shape):
    value: str
    """Ready to print, e.g. ``3500+``."""
    caption: str


class StatsData(BlockData):
    type: Literal["stats"] = "stats"
    title: str = ""
    stats: list[Stat]
    """1..4, in the editor's order."""
