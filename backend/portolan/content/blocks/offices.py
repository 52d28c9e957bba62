"""Offices: all offices of the company, filtered by category."""

from typing import Literal

from ...shapes.base import BlockData
from ...shapes.office import Office


class OfficesData(BlockData):
    type: Literal["offices"] = "offices"
    title: str
    text: str = ""
    offices: list[Office]
    """Every office, in the company's order."""
