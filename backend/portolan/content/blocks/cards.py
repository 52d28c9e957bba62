"""Cards: a titled grid of short texts, each with an icon and perhaps a link."""

from typing import Literal

from ...shapes.base import BlockData, Shape
from ...shapes.icon import IconName
from ...shapes.link import Link


class Card(Shape):
    title: str
    text: str
    icon: IconName | None = None
    link: Link | None = None


class CardsData(BlockData):
    type: Literal["cards"] = "cards"
    title: str
    text: str = ""
    cards: list[Card]
    """2..12."""
