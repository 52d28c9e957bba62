"""Call to action: one sentence and the one thing to do next."""

from typing import Literal

from ...shapes.base import BlockData, Tone
from ...shapes.link import Link


class CallToActionData(BlockData):
    type: Literal["call_to_action"] = "call_to_action"
    tone: Tone = "navy"
    title: str
    text: str = ""
    actions: list[Link]
    """1..2."""
